import { ClawError } from '../core/claw-error.ts'
import { isRead, notRecorded, reasonOf } from '../store/recorded.ts'
import { DiskError } from '../world/disk.ts'

/** No second try helps before a person has changed something. */
const needsPerson: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'ELOOP'])

/** A disk failure that nothing nearer has put into words, as one line; a bug is thrown on as it is. */
export function actionable(error: unknown): ClawError {
  if (error instanceof DiskError && isRead(error) && needsPerson.has(error.code)) {
    return new ClawError('config-invalid', `${error.path}: cannot be read, ${reasonOf(error)}`, {
      cause: error,
    })
  }
  return notRecorded(error, error instanceof DiskError ? error.path : '')
}
