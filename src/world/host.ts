/** Facts about this machine and process. */
export interface Host {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  homeDir: string
  hostname: string
  pid: number
  cpuCount: number
  /** Memory that a new process could use without swapping, in bytes. */
  freeMemoryBytes(): number
  /** Start of this process in boot ticks where the kernel tells it: makes (pid, start) unique within one boot. */
  processStart: string
  /** The folder that holds the shipped `workspace/` template. */
  packageDir: string
  /** The interpreter that runs this process, absolute. */
  execPath: string
  /** IANA name, as this process sees it: a TZ variable counts. */
  timeZone: string
}
