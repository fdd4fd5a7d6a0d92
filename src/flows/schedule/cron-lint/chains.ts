import { basename, join } from 'node:path'
import { isTeamPath, type Job, type Need } from '../../../core/job.ts'
import { type Millis, minuteMs } from '../../../core/millis.ts'
import type { World } from '../../../world/world.ts'
import { type FindingAt, type LintJob, warningOn } from './finding.ts'

interface Place {
  world: World
  root: string
  /** Of job files that cannot be used. */
  brokenTexts: readonly string[]
}

/**
 * Files that a job needs and nobody produces, or that their producer writes too late or
 * too seldom. What a broken job file names is left out: nobody knows when it is written.
 */
export function chainFindings(place: Place, all: readonly LintJob[]): FindingAt[] {
  const producers = new Map<string, LintJob[]>()
  for (const one of all) {
    for (const { file } of one.job.produces) {
      const pattern = wholePattern(one.job, file)
      producers.set(pattern, [...(producers.get(pattern) ?? []), one])
    }
  }
  return all.flatMap(one =>
    one.job.needs.flatMap((need, index) => {
      const isUnknown = place.brokenTexts.some(text => text.includes(basename(need.file)))
      const text = isUnknown ? undefined : problemOf(place, { one, need, producers })
      return text === undefined ? [] : [warningOn(one, text, ['needs', index])]
    }),
  )
}

interface Chain {
  one: LintJob
  need: Need
  producers: ReadonlyMap<string, readonly LintJob[]>
}

function problemOf({ world, root }: Place, { one, need, producers }: Chain): string | undefined {
  const pattern = wholePattern(one.job, need.file)
  const makers = (producers.get(pattern) ?? []).filter(({ job }) => job.enabled)
  if (makers.length > 0) return lateness(world, { one, need, makers })
  if (pattern.includes('{') || world.disk.stat(join(root, pattern)) === undefined)
    return `needs ${need.file}, which no enabled job produces`
  return undefined
}

/** The first slot at which no producer has fired in time for it. */
function lateness(
  { clock }: World,
  { one, need, makers }: { one: LintJob; need: Need; makers: readonly LintJob[] },
): string | undefined {
  const fired = makers.flatMap(({ slots }) => slots)
  const first = Math.min(...fired)
  // What was before the first is not known: those slots say nothing.
  const slot = one.slots.find(at => at > first && isLate(at))
  if (slot === undefined) return undefined
  const { weekdayName, time } = clock.local(slot, one.timeZone)
  const names = makers.map(({ key }) => key).join(', ')
  return `needs ${need.file}${need.maxAge === undefined ? ' of its day' : ` not older than ${Math.round(need.maxAge / minuteMs)} minutes`}, and ${names} has not fired in time for ${weekdayName} ${time}`

  function isLate(at: Millis): boolean {
    const before = Math.max(...fired.filter(made => made <= at))
    if (need.maxAge !== undefined) return at - before > need.maxAge
    if (!need.file.includes('{date}')) return false
    return clock.local(before, one.timeZone).date !== clock.local(at, one.timeZone).date
  }
}

/** Relative to the workspace, with the agent and the job filled in and the day left open. */
function wholePattern({ agent, name }: Job, file: string): string {
  const own = file.replaceAll('{agent}', agent).replaceAll('{job}', name)
  return isTeamPath(own) ? own : `agents/${agent}/${own}`
}
