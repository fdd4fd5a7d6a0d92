import type { Disk } from '../world/disk.ts'
import { readText } from './text.ts'

/**
 * The process that holds the kernel lock on `path`, as Linux tells it; undefined
 * elsewhere. For people only. Asking the kernel on failure keeps the path of a
 * successful lock free of a write.
 */
export function holderPid(disk: Disk, path: string): number | undefined {
  const inode = /(\d+)\D*$/.exec(disk.stat(path)?.id ?? '')?.[1]
  if (inode === undefined) return undefined
  for (const line of (readKernelLocks(disk) ?? '').split('\n')) {
    // 12: FLOCK  ADVISORY  WRITE 4711 fe:00:262146 0 EOF
    const [, kind, , , pid, file] = line.trim().split(/\s+/)
    if (kind === 'FLOCK' && file?.split(':').at(-1) === inode) return Number(pid)
  }
  return undefined
}

function readKernelLocks(disk: Disk): string | undefined {
  try {
    return readText(disk, '/proc/locks')
  } catch {
    return undefined
  }
}
