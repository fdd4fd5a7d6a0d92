import { exitCodes } from '../../core/claw-error.ts'
import { toIso } from '../../core/millis.ts'
import { exitOfState, type RunRecord } from '../../core/run.ts'
import type { DayRead, Problem, WatchedProcess } from './day-facts.ts'

/** Codes with which a run may end that leaves no record: it was not its turn, or it could not write one. */
const withoutRecord: ReadonlySet<number> = new Set([
  exitCodes.ok,
  exitCodes.usage,
  exitCodes.busy,
  exitCodes.notKnown,
  exitCodes.notRecorded,
])
/** Codes that say nothing of the run itself, only of what could not be written after it. */
const afterRecord: ReadonlySet<number> = new Set([exitCodes.busy, exitCodes.notKnown, exitCodes.notRecorded])

/** Cron sees nothing but the exit code of a run: it says what the record says. Of two that began at once one may say that it was not its turn. */
export function exitProblems({ ended, records }: Pick<DayRead, 'ended' | 'records'>): Problem[] {
  const byStart = new Map<string, RunRecord[]>()
  for (const record of records) {
    const key = `${record.agent} ${record.job} ${record.startedAt}`
    byStart.set(key, [...(byStart.get(key) ?? []), record])
  }
  const called = new Map<string, number>()
  for (const process of ended) {
    const key = keyOf(process)
    if (key !== undefined) called.set(key, (called.get(key) ?? 0) + 1)
  }
  return ended.flatMap(process => {
    const key = keyOf(process)
    const { exitCode } = process.end
    if (key === undefined || exitCode === undefined) return []
    const isOneOfMany = (called.get(key) ?? 0) > 1
    if (isOneOfMany && exitCode === exitCodes.ok) return []
    const what = untrue(byStart.get(key) ?? [], exitCode)
    return what
      ? [{ invariant: 'exit codes tell the truth' as const, what: `${process.argv.join(' ')}: ${what}` }]
      : []
  })
}

function untrue(own: readonly RunRecord[], exitCode: number): string | undefined {
  if (own.length === 0)
    return withoutRecord.has(exitCode) ? undefined : `exit code ${exitCode}, and no run is on record`
  if (afterRecord.has(exitCode)) return undefined
  const isTold = own.some(({ state }) => exitCodes[exitOfState[state]] === exitCode)
  return isTold
    ? undefined
    : `exit code ${exitCode}, and the record says ${own.map(({ state }) => state).join(', ')}`
}

/** By job and start a run is found again, since its id is nowhere printed; undefined for another command. */
function keyOf({ argv, startedAt }: WatchedProcess): string | undefined {
  const at = argv.indexOf('run')
  return at === -1 ? undefined : `${argv[at + 1]} ${argv[at + 2]} ${toIso(startedAt)}`
}
