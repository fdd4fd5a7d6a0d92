import { calendarWarning } from '../../../core/exchange-calendar.ts'
import { exchanges } from '../../../core/job.ts'
import { type Millis, toIso } from '../../../core/millis.ts'
import { type FindingAt, type LintJob, warningOn } from './finding.ts'

/** Calendars of exchanges that end soon, each told once, on the first of the jobs that go by it. */
export function calendarFindings(all: readonly LintJob[], now: Millis): FindingAt[] {
  return exchanges.flatMap(exchange => {
    const [first, ...more] = all.filter(({ job }) => job.market?.exchange === exchange)
    const warning = first && calendarWarning(exchange, toIso(now).slice(0, 10))
    if (!first || warning === undefined) return []
    const others =
      more.length === 0 ? '' : ` (and ${more.length} other ${more.length === 1 ? 'job' : 'jobs'})`
    return [warningOn(first, `${warning}${others}`, ['market'])]
  })
}
