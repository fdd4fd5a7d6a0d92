import { DiskError } from '../../src/world/disk.ts'
import type { Disk } from '../../src/world/disk.ts'
import { ClawError } from '../../src/core/claw-error.ts'

/** Ways to replace a file: one that keeps its promise, and twins that each leave out one thing. */
export type Replace = (disk: Disk, path: string, text: string) => void

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

interface Steps {
  syncDraft?: boolean
  syncFolder?: boolean
  ignoreSyncErrors?: boolean
}

function byDraft({ syncDraft = true, syncFolder = true, ignoreSyncErrors = false }: Steps): Replace {
  return (disk, path, text) => {
    const sync = (target: string) => {
      try {
        disk.sync(target)
      } catch (error) {
        if (!ignoreSyncErrors || !(error instanceof DiskError)) throw error
      }
    }
    const draft = `${path}.draft`
    recorded(() => {
      disk.remove(draft)
      disk.create(draft, Buffer.from(text))
      if (syncDraft) sync(draft)
      disk.rename(draft, path)
      if (syncFolder) sync(folderOf(path))
    })
  }
}

export const goodReplace = byDraft({})

export const brokenReplaces: Record<string, Replace> = {
  'no fsync of the draft': byDraft({ syncDraft: false }),
  'no fsync of the folder': byDraft({ syncFolder: false }),
  'written in place': (disk, path, text) => {
    recorded(() => {
      disk.truncate(path, 0)
      disk.append(path, Buffer.from(text))
      disk.sync(path)
    })
  },
}

export const deafReplace = byDraft({ ignoreSyncErrors: true })

/** As the in-place twin, but takes a short count for the whole. */
export const shortBlindAppend: Replace = (disk, path, text) => {
  recorded(() => {
    disk.append(path, Buffer.from(text))
    disk.sync(path)
  })
}

function recorded(body: () => void): void {
  try {
    body()
  } catch (error) {
    if (error instanceof DiskError) throw new ClawError('not-recorded', error.message, { cause: error })
    throw error
  }
}
