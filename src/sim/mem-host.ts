import type { Host } from '../world/host.ts'

/** A machine with nothing on it. */
export function memHost(given: Partial<Host> = {}): Host {
  return {
    env: {},
    cwd: '/ws',
    homeDir: '/home/sim',
    hostname: 'sim',
    pid: 100,
    cpuCount: 2,
    freeMemoryBytes: () => 4 * 1024 ** 3,
    processStart: '1000',
    packageDir: '/opt/claw',
    execPath: '/usr/bin/node',
    timeZone: 'UTC',
    ...given,
  }
}
