import { exactEdit } from '../core/exact-edit.ts'
import type {
  FileEdit,
  FileOps,
  FileRefused,
  FileText,
  FileWritten,
  FolderListing,
} from '../core/file-ops.ts'
import { addsMask } from '../core/mask.ts'
import type { PathAsk, PathScope } from '../core/paths-policy.ts'
import { isSuspiciousShrink } from '../core/shrink-guard.ts'
import { sha256 } from '../world/hash.ts'
import type { World } from '../world/world.ts'
import { editShared } from './shared-edit.ts'
import { decodeText, plainLines } from './text.ts'
import { findPath, followPath, type FoundPath, refused } from './workspace-path.ts'

/** What is about to change, told before it changes, so that what it replaces can be kept first. */
export interface WriteNotice {
  /** Relative to the workspace. */
  path: string
  /** SHA-256; undefined for a new file. */
  before: string | undefined
  after: string
  bytesBefore: Uint8Array | undefined
}

export interface WorkspaceFilesOptions {
  world: Pick<World, 'disk' | 'locks' | 'clock' | 'random' | 'host'>
  /** Absolute path of the workspace. */
  root: string
  agent: string
  /** May throw; then nothing is written. */
  recordWrite: (notice: WriteNotice) => void
}

/** Largest file that is read or written through a tool. */
const maxBytes = 8 * 1024 * 1024

/**
 * The files of one agent, inside the workspace only. Links are followed to where
 * they lead and judged there; a write replaces the file by rename, so a hard link
 * elsewhere keeps its content.
 */
export function workspaceFiles(options: WorkspaceFilesOptions): FileOps {
  const { world, root, agent } = options
  const find = (path: string, action: PathAsk['action'], scope: PathScope): FoundPath | FileRefused =>
    findPath(world.disk, root, { path, action, scope, agent })
  return {
    read(path, scope) {
      const found = find(path, 'read', scope)
      return found.kind === 'refused' ? found : readFound(options, found, path)
    },
    async write(path, text, scope) {
      const found = find(path, 'write', scope)
      if (found.kind === 'refused') return found
      if (found.stat && found.stat.kind !== 'file') return refused('not-a-file', `${path} is a folder`)
      return changeFile(options, found, () => ({ kind: 'edited', text, replaced: 1 }))
    },
    async edit(path, edit, scope) {
      const found = find(path, 'write', scope)
      if (found.kind === 'refused') return found
      if (!found.stat) return refused('absent', `${path} does not exist; write makes a new file`)
      if (found.stat.kind !== 'file') return refused('not-a-file', `${path} is a folder`)
      const before = world.disk.read(found.real)
      if (before && !isUtf8(before)) return refused('binary', `${path} is no UTF-8 text and stays as it is`)
      return changeFile(options, found, old => editedText(path, old, edit))
    },
    checkReal(relative) {
      const found = followPath(world.disk, root, relative, {
        path: relative,
        action: 'read',
        scope: 'own',
        agent,
      })
      return found.kind === 'refused' ? found : undefined
    },
  }
}

function readFound(
  { world: { disk } }: WorkspaceFilesOptions,
  { real, path, stat }: FoundPath,
  asked: string,
): FileText | FolderListing | FileRefused {
  if (stat?.kind === 'directory') {
    const entries = disk.list(real) ?? []
    return {
      kind: 'folder',
      path,
      names: entries.map(({ name, kind }) => (kind === 'directory' ? `${name}/` : name)),
    }
  }
  if (stat && stat.sizeBytes > maxBytes)
    return refused('too-large', `${asked} has ${stat.sizeBytes} bytes; at most ${maxBytes} are read`)
  const bytes = stat ? disk.read(real) : undefined
  if (bytes === undefined) return refused('absent', `${asked} does not exist`)
  if (bytes.includes(0)) return refused('binary', `${asked} is no text (${bytes.length} bytes)`)
  return { kind: 'text', path, text: plainLines(decodeText(bytes)), sizeBytes: bytes.length }
}

type Edited = { kind: 'edited'; text: string; replaced: number } | FileRefused

function editedText(path: string, old: string, edit: FileEdit): Edited {
  const { oldText, newText } = edit
  const edited = exactEdit(plainLines(old), {
    ...edit,
    oldText: plainLines(oldText),
    newText: plainLines(newText),
  })
  return edited.kind === 'refused' ? { ...edited, why: `${path}: ${edited.why}` } : edited
}

/**
 * All writes end here. Line ends and byte order mark of the old file are kept, and
 * what a person saves at the same moment is merged. The notice comes first, so
 * that what is replaced can be kept before it is.
 */
async function changeFile(
  { world, root, recordWrite }: WorkspaceFilesOptions,
  { real, path, stat }: FoundPath,
  change: (old: string) => Edited,
): Promise<FileWritten | FileRefused> {
  let refusal: FileRefused | undefined
  let replaced = 0
  const notice: WriteNotice = { path, before: undefined, after: '', bytesBefore: undefined }
  const next = (old: string): string => {
    const edited = change(old)
    const checked = edited.kind === 'refused' ? edited : acceptable(path, stat && old, edited.text)
    if (checked.kind === 'refused') {
      refusal = checked
      return old
    }
    replaced = edited.kind === 'edited' ? edited.replaced : 0
    notice.bytesBefore = stat && world.disk.read(real)
    notice.before = notice.bytesBefore && sha256(notice.bytesBefore)
    notice.after = sha256(checked.text)
    if (notice.before !== notice.after) recordWrite(notice)
    return checked.text
  }
  const outcome = await editShared(world, root, real, next, { allowShrink: true })
  if (refusal) return refusal
  const after = sha256(outcome.text)
  if (after !== notice.after) recordWrite({ ...notice, after })
  return {
    kind: 'written',
    path,
    before: notice.before,
    after,
    sizeBytes: Buffer.byteLength(outcome.text),
    replaced,
  }
}

function acceptable(
  path: string,
  old: string | undefined,
  text: string,
): { kind: 'accepted'; text: string } | FileRefused {
  if (addsMask(old ?? '', text)) {
    return refused(
      'masked',
      `${path}: the text holds a mask ([masked:...]) in place of a secret; leave that part of the file alone`,
    )
  }
  if (isSuspiciousShrink(path, old, text)) {
    return refused(
      'shrink',
      `${path} would lose more than half of its text; use edit to take out what is obsolete`,
    )
  }
  const next = likeBefore(text, old)
  const sizeBytes = Buffer.byteLength(next)
  if (sizeBytes <= maxBytes) return { kind: 'accepted', text: next }
  return refused('too-large', `${path} would have ${sizeBytes} bytes; at most ${maxBytes} are written`)
}

function likeBefore(text: string, old: string | undefined): string {
  if (old === undefined) return text
  const plain = plainLines(text)
  const lineEnds = isCrlf(old) ? plain.replaceAll('\n', '\r\n') : plain
  return old.startsWith('\uFEFF') ? `\uFEFF${lineEnds}` : lineEnds
}

function isCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
