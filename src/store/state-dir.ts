/** Machine state of a workspace, as far as the store itself writes it; `records/paths.ts` has the rest. */

export const stateDir = (root: string): string => `${root}/.claw`
export const lockFile = (root: string, name: string): string => `${stateDir(root)}/locks/${name}.lock`
export const blobsDir = (root: string): string => `${stateDir(root)}/blobs`
export const backupsDir = (root: string): string => `${stateDir(root)}/backups`
export const keptAsideDir = (root: string): string => `${stateDir(root)}/quarantine`
