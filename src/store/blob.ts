import { join } from 'node:path'
import { ClawError } from '../core/claw-error.ts'
import type { Disk } from '../world/disk.ts'
import { sha256 } from '../world/hash.ts'
import type { World } from '../world/world.ts'
import { createFile, replaceFile } from './atomic-file.ts'
import { orNotRecorded } from './recorded.ts'
import { blobsDir } from './state-dir.ts'
import { toBytes } from './text.ts'

/**
 * Keeps the content under its SHA-256, which is returned. What is there already
 * is not written again, unless its size shows that it is damaged. Throws `not-recorded`.
 */
export function putBlob(
  world: Pick<World, 'disk' | 'random'>,
  root: string,
  content: string | Uint8Array,
): string {
  const bytes = toBytes(content)
  const hash = sha256(bytes)
  const path = blobPath(root, hash)
  const sizeBytes = orNotRecorded(path, () => world.disk.stat(path)?.sizeBytes)
  if (sizeBytes === undefined) createFile(world, path, bytes)
  else if (sizeBytes !== bytes.length) replaceFile(world, path, bytes)
  return hash
}

/** Undefined when absent; throws `corrupt` when the bytes are not those of the hash. */
export function readBlob(disk: Pick<Disk, 'read'>, root: string, hash: string): Uint8Array | undefined {
  const path = blobPath(root, hash)
  const bytes = orNotRecorded(path, () => disk.read(path))
  if (bytes !== undefined && sha256(bytes) !== hash) {
    throw new ClawError('corrupt', `${path}: the content is not what its name says`)
  }
  return bytes
}

/** Throws `not-found` for what is no hash, so that no text can point elsewhere. */
export function blobPath(root: string, hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash))
    throw new ClawError('not-found', `no blob is named ${JSON.stringify(hash)}`)
  return join(blobsDir(root), hash.slice(0, 2), hash.slice(2))
}
