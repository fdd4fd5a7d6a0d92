import type { Config } from '../../../core/config.ts'
import type { Millis } from '../../../core/millis.ts'
import type { World } from '../../../world/world.ts'
import { seatCount } from '../../run-job/admit/take-seat.ts'
import { type FindingAt, type LintJob, warningOn } from './finding.ts'

/** Minutes in which more jobs fire than run at a time here: the last ones begin later. */
export function crowdFindings(
  { world, config }: { world: World; config: Config },
  all: readonly LintJob[],
): FindingAt[] {
  const seats = seatCount({ config, world })
  const byMinute = new Map<Millis, LintJob[]>()
  for (const one of all)
    for (const slot of one.slots) byMinute.set(slot, [...(byMinute.get(slot) ?? []), one])
  const told = new Set<string>()
  const findings: FindingAt[] = []
  for (const [slot, jobs] of [...byMinute].sort(([a], [b]) => a - b)) {
    if (jobs.length <= seats) continue
    const names = jobs.map(({ key }) => key).join(', ')
    if (told.has(names)) continue
    told.add(names)
    const { time } = world.clock.local(slot, config.timezone)
    const text = `${jobs.length} jobs fire at ${time} (${names}), and ${seats} run at a time: the others begin later (limits.concurrentRuns)`
    findings.push(warningOn(jobs[0]!, text, ['schedule']))
  }
  return findings
}
