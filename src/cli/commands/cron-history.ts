import { slotHistory } from '../../flows/schedule/cron-history.ts'
import { lateText } from '../clock-text.ts'
import type { Action } from '../command.ts'
import { countOption } from '../count-option.ts'

export const cronHistory: Action = async ({ world, root, out }, [job], options) => {
  const ends = slotHistory(world, root(), { job, limit: countOption(options, 'limit', 20) })
  const rows = ends.map(({ slot, job: of, state, lateMs, attempts, reason }) => [
    `${slot.slice(0, 16)}Z`,
    of,
    state,
    lateMs === null ? '-' : lateText(lateMs),
    `${attempts} ${attempts === 1 ? 'run' : 'runs'}`,
    reason,
  ])
  out.result(
    ends,
    ends.length === 0 ? 'no slots yet' : out.table(rows, ['slot', 'job', 'state', 'began', 'runs', 'reason']),
  )
}
