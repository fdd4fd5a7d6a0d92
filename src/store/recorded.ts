import { ClawError } from '../core/claw-error.ts'
import { DiskError } from '../world/disk.ts'

const inWords: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EIO: 'the disk reported an input/output error',
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted',
  EFBIG: 'the file would become too large',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files on this machine',
  ENAMETOOLONG: 'the file name is too long',
  ENOENT: 'the file or its folder is gone',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'the path is a folder',
  EBUSY: 'the file is in use',
}

const reads: ReadonlySet<string> = new Set(['read', 'readRange', 'stat', 'lstat', 'list', 'realpath'])

/** Whether the call that failed only looks. */
export function isRead({ call }: DiskError): boolean {
  return reads.has(call)
}

/**
 * Nothing changed and the same can be tried again: one line that names the file
 * and the reason. A `ClawError` passes through; what is no disk failure is a bug
 * (or the end of a simulated process) and is thrown on as it is.
 */
export function notRecorded(error: unknown, what: string): ClawError {
  if (error instanceof ClawError) return error
  if (!(error instanceof DiskError)) throw error
  const outcome = isRead(error) ? 'cannot be read' : 'nothing recorded'
  return new ClawError('not-recorded', `${what}: ${outcome}, ${reasonOf(error)}`, { cause: error })
}

/** Runs `body`; its disk failures become `not-recorded`. For steps that change nothing when they fail. */
export function orNotRecorded<T>(what: string, body: () => T): T {
  try {
    return body()
  } catch (error) {
    throw notRecorded(error, what)
  }
}

/** The write may or may not be there, also after a power loss; the same id may be repeated. */
export function notKnown(error: unknown, what: string): ClawError {
  if (error instanceof ClawError) return error
  if (!(error instanceof DiskError)) throw error
  const text = `${what}: not known whether it was recorded, ${reasonOf(error)}`
  return new ClawError('not-known', text, { cause: error, hint: 'repeating the same is safe' })
}

/** "no space left on the disk (ENOSPC)". */
export function reasonOf(error: DiskError): string {
  return `${inWords[error.code] ?? `the disk refused to ${error.call}`} (${error.code})`
}
