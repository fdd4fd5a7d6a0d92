import { join } from 'node:path'
import { stateDir } from '../../../records/paths.ts'
import { orNotRecorded } from '../../../store/recorded.ts'
import type { Disk } from '../../../world/disk.ts'

/** What runs under launchd say on stderr, which nobody mails there; a month of a tick that fails each minute. */
const mostBytes = 1024 * 1024

/**
 * A log that has grown too long becomes `launchd.log.old`, in place of the one before:
 * both together stay near two megabytes. It is moved, not cut: who writes goes on.
 */
export function turnLaunchdLog(disk: Disk, root: string): void {
  const path = join(stateDir(root), 'launchd.log')
  orNotRecorded(path, () => {
    const stat = disk.stat(path)
    if (stat?.kind === 'file' && stat.sizeBytes > mostBytes) disk.rename(path, `${path}.old`)
  })
}
