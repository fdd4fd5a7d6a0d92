import { slotHistory } from '../../flows/schedule/cron-history.ts'
import { lateText } from '../clock-text.ts'
import type { Action } from '../command.ts'
import { countOption } from '../count-option.ts'

export const cronHistory: Action = async ({ world, root, out }, [job], options) => {
  const ends = slotHistory(world, root(), { job, limit: countOption(options, 'limit', 20) })
  const isTight = out.columns < 60
  const rows = ends.map(({ slot, job: of, state, lateMs, attempts, reason }) => [
    slot === null ? '-' : `${slot.slice(isTight ? 5 : 0, 16)}Z`,
    of,
    state,
    lateMs === null ? '-' : lateText(lateMs),
    `${attempts} ${attempts === 1 ? 'run' : 'runs'}`,
    reason,
  ])
  // What came of a slot stays; how often and how late it began goes before the reason.
  const narrow = { drops: [4, 3, 5], leastLast: 20, shrinks: 1 }
  out.result(
    ends,
    ends.length === 0
      ? 'no slots yet'
      : out.table(rows, ['slot', 'job', 'state', 'began', 'runs', 'reason'], narrow),
  )
}
