import { join } from 'node:path'

/** Machine state of a workspace, as far as the store itself writes it; `records/paths.ts` has the rest. */

export const stateDir = (root: string): string => join(root, '.claw')
export const lockFile = (root: string, name: string): string => join(stateDir(root), 'locks', `${name}.lock`)
export const blobsDir = (root: string): string => join(stateDir(root), 'blobs')
export const backupsDir = (root: string): string => join(stateDir(root), 'backups')
export const keptAsideDir = (root: string): string => join(stateDir(root), 'quarantine')
