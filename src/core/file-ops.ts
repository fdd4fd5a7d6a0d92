import type { PathRefusal, PathScope } from './paths-policy.ts'

export type FileRefusal =
  | PathRefusal
  | 'absent'
  | 'outside'
  | 'dangling-link'
  | 'special'
  | 'not-a-file'
  | 'too-large'
  | 'binary'
  | 'not-found'
  | 'not-unique'
  | 'no-change'
  | 'masked'
  | 'shrink'
  | 'no-access'

export interface FileRefused {
  kind: 'refused'
  reason: FileRefusal
  /** One sentence for the model. */
  why: string
}

export interface FileText {
  kind: 'text'
  /** Relative to the workspace. */
  path: string
  /** With `\n` line ends and without a byte order mark. */
  text: string
  sizeBytes: number
}

export interface FolderListing {
  kind: 'folder'
  path: string
  /** Sorted; folders end in `/`. */
  names: string[]
}

export interface FileWritten {
  kind: 'written'
  path: string
  /** SHA-256 before; undefined for a new file. */
  before: string | undefined
  after: string
  sizeBytes: number
  /** Places that an edit replaced; 1 for a write. */
  replaced: number
}

export interface FileEdit {
  oldText: string
  newText: string
  /** Default false: then the old text must occur exactly once. */
  replaceAll?: boolean
}

/**
 * What file tools are handed. Paths are as the model gives them. A refusal is a
 * value; a disk that fails is thrown.
 */
export interface FileOps {
  read(path: string, scope: PathScope): FileText | FolderListing | FileRefused
  write(path: string, text: string, scope: PathScope): Promise<FileWritten | FileRefused>
  edit(path: string, edit: FileEdit, scope: PathScope): Promise<FileWritten | FileRefused>
  /** Judges where a path, relative to the workspace, really leads; undefined when it may be read. */
  checkReal(relative: string): FileRefused | undefined
}
