import { join } from 'node:path'
import { type Disk, DiskError } from '../../world/disk.ts'
import { ensureDir } from '../atomic-file.ts'
import type { LeaseOwner } from '../lease-owner.ts'
import { orNotRecorded } from '../recorded.ts'
import { encodeText } from '../text.ts'

/** Claims of the past that stay to be read. */
const keptClaims = 8

/**
 * Claims the next number of `path` by an exclusive create in `<path>.fence.d` and
 * returns it. The highest one is never removed, so no number comes twice; a
 * claimer that was overtaken while it slept tries again above. Throws `not-recorded`.
 */
export function claimFence(disk: Disk, path: string, owner: LeaseOwner): number {
  const dir = fenceDir(path)
  ensureDir(disk, dir)
  return orNotRecorded(dir, () => {
    const claim = encodeText(`${JSON.stringify(owner)}\n`)
    for (;;) {
      const next = highest(disk, dir) + 1
      const file = join(dir, String(next))
      if (!disk.create(file, claim)) continue
      disk.sync(file)
      disk.sync(dir)
      if (highest(disk, dir) !== next) {
        disk.remove(file)
        continue
      }
      removeOld(disk, dir, next - keptClaims)
      return next
    }
  })
}

/** 0 when there was no claim yet. Throws `not-recorded` when it cannot be read. */
export function highestFence(disk: Disk, path: string): number {
  const dir = fenceDir(path)
  return orNotRecorded(dir, () => highest(disk, dir))
}

function fenceDir(path: string): string {
  return `${path}.fence.d`
}

function highest(disk: Disk, dir: string): number {
  return Math.max(0, ...numbers(disk, dir))
}

function numbers(disk: Disk, dir: string): number[] {
  const names = (disk.list(dir) ?? []).map(entry => entry.name)
  return names.filter(name => /^[1-9]\d{0,14}$/.test(name)).map(Number)
}

function removeOld(disk: Disk, dir: string, upTo: number): void {
  try {
    for (const number of numbers(disk, dir)) if (number <= upTo) disk.remove(join(dir, String(number)))
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
  }
}
