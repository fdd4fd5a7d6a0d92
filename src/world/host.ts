/** Facts about this machine and process. */
export interface Host {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  homeDir: string
  hostname: string
  pid: number
  /** Start of this process in boot ticks where the kernel tells it: makes (pid, start) unique within one boot. */
  processStart: string
  /** The folder that holds the shipped `workspace/` template. */
  packageDir: string
}
