import { ClawError } from '../../core/claw-error.ts'
import type { World } from '../../world/world.ts'
import { orNotRecorded } from '../recorded.ts'
import { decodeText } from '../text.ts'

export interface SettleOptions {
  /** Two looks this far apart must see the same. Default 60: an editor's or sync client's gap inside one save. */
  settleMs?: number
  /** A file that is older than this is settled at once. Default 2,000. */
  recentMs?: number
}

export interface Settled {
  bytes: Uint8Array
  text: string
}

const maxLooks = 60

/**
 * The file when nobody is in the middle of saving it; undefined when absent.
 * Throws `busy` when it does not come to rest, `not-recorded` when it cannot be read.
 */
export async function readSettled(
  { disk, clock }: Pick<World, 'disk' | 'clock'>,
  path: string,
  { settleMs = 60, recentMs = 2000 }: SettleOptions = {},
): Promise<Settled | undefined> {
  let before = look({ disk }, path)
  for (let looks = 1; looks < maxLooks; looks++) {
    if (before === undefined) return undefined
    // A time in the future counts as recent: it costs one wait, no more.
    const isOld = clock.now() - before.mtimeMs > recentMs
    if (!isOld || before.bytes.length === 0) await clock.sleep(settleMs)
    const after = look({ disk }, path)
    if (after !== undefined && isEqual(before, after))
      return { bytes: after.bytes, text: decodeText(after.bytes) }
    before = after
  }
  throw new ClawError('busy', `${path}: someone else keeps changing it`, {
    hint: 'try again when it is at rest',
  })
}

interface Look {
  bytes: Uint8Array
  mtimeMs: number
}

function look({ disk }: Pick<World, 'disk'>, path: string): Look | undefined {
  return orNotRecorded(path, () => {
    const stat = disk.stat(path)
    const bytes = disk.read(path)
    return stat === undefined || bytes === undefined ? undefined : { bytes, mtimeMs: stat.mtimeMs }
  })
}

function isEqual(a: Look, b: Look): boolean {
  return a.mtimeMs === b.mtimeMs && Buffer.compare(a.bytes, b.bytes) === 0
}
