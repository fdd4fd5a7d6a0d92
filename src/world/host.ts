/** Facts about this machine and process. */
export interface Host {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  homeDir: string
  hostname: string
  pid: number
  /** Start of this process in boot ticks where the kernel tells it: makes (pid, start) unique within one boot. */
  processStart: string
  platform: string
  /** Absolute path of the interpreter. */
  execPath: string
  nodeVersion: string
  /** The folder that holds the shipped `workspace/` template. */
  packageDir: string
  /** Of the host, e.g. Europe/Berlin. */
  timeZone: string
}
