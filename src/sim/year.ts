import { nextSlots } from '../core/cron.ts'
import { hourMs, type Millis, toIso } from '../core/millis.ts'
import { localTime } from '../core/zone.ts'
import type { CronLine } from './year/crontab.ts'
import { Crond } from './year/crond.ts'
import { type FaultLevel, FaultTable } from './year/fault-table.ts'
import { HostTroubles } from './year/host-troubles.ts'
import type { Machine, ProcessEnd, SimProcess } from './year/machine.ts'
import { type DayReport, type Failure, msPerDay, type Problem, type YearReport } from './year/report.ts'

/** What an invariant is told of a process. */
export interface EndedProcess {
  argv: readonly string[]
  startedAt: Millis
  end: ProcessEnd
  err: string
}

export interface DayEnd {
  now: Millis
  /** Paths that were written since the last check; `all` after the power went. */
  changed: ReadonlySet<string> | 'all'
  ended: readonly EndedProcess[]
}

export interface YearSetup {
  machine: Machine
  lines: readonly CronLine[]
  hostZone: string
  from: Millis
  days: number
  seed: number
  level: FaultLevel
  /** Run all of them, also where nothing can have changed since the last one. */
  everyTick: boolean
  untilFailure: boolean
  /** Until when a tick has nothing to do, as far as files tell; undefined when it must look. Reads only. */
  idleUntil: () => Millis | undefined
  checkDay: (day: DayEnd) => readonly Problem[]
  /** Begins a command line that simulates up to this day. */
  replay: (day: number) => string
  /** Real milliseconds. */
  elapsedMs: () => number
  onDay?: (day: DayReport) => void
}

const mostFailures = 20
/** A day whose processes never come to rest within so long after midnight is a failure. */
const restWithinMs = 6 * hourMs

/**
 * Day after day on one machine: its cron fires the lines, faults strike by seed, and
 * at the first quiet moment after each midnight all invariants are asked.
 */
export async function simulateYear(setup: YearSetup): Promise<YearReport> {
  const run = new YearRun(setup)
  for (let day = 1; day <= setup.days; day++) {
    const report = await run.day(day)
    setup.onDay?.(report)
    if (setup.untilFailure && report.problems > 0) break
  }
  return run.report()
}

class YearRun {
  readonly #setup: YearSetup
  readonly #table: FaultTable
  readonly #crond: Crond
  readonly #troubles: HostTroubles
  readonly #tookMs: number[] = []
  readonly #failures: Failure[] = []
  readonly #byInvariant: Record<string, number> = {}
  readonly #injected: Record<string, number> = {}
  readonly #startedMs: number
  #failureCount = 0
  #killed = 0
  #ended: EndedProcess[] = []
  #changed = new Set<string>()
  #powerLosses = 0
  #lastFault = 'no fault'

  constructor(setup: YearSetup) {
    this.#setup = setup
    this.#startedMs = setup.elapsedMs()
    this.#table = new FaultTable(setup.seed, setup.level)
    this.#crond = new Crond(setup, this.#table)
    this.#troubles = new HostTroubles(setup.machine, (name, where) => this.#struck(name, where))
  }

  /** From where the last one stopped until the first quiet moment after its midnight. */
  async day(day: number): Promise<DayReport> {
    const { machine, hostZone, elapsedMs } = this.#setup
    const { timeline } = machine
    const startedMs = elapsedMs()
    const from = this.#dayStart(day)
    const midnight = this.#dayStart(day + 1)
    this.#troubles.plan(this.#table.hostFaults(day), from)
    const before = this.#crond.started
    while (timeline.trueTime() < midnight) await this.#step(midnight)
    this.#crond.wantTick()
    this.#act()
    while (timeline.trueTime() < midnight + restWithinMs) {
      await this.#advance(Number.POSITIVE_INFINITY)
      if (this.#isQuiet(midnight)) break
      this.#act()
    }
    const date = localTime(from, hostZone).date
    const problems = this.#isQuiet(midnight)
      ? [...this.#bugs(), ...this.#setup.checkDay(this.#dayEnd())]
      : [{ invariant: 'rest', what: `processes still run: ${machine.live.map(nameOf).join('; ')}` }]
    this.#note(problems, day, date)
    const tookMs = elapsedMs() - startedMs
    this.#tookMs.push(tookMs)
    return { day, date, processes: this.#crond.started - before, tookMs, problems: problems.length }
  }

  report(): YearReport {
    const { from, seed, level, hostZone, elapsedMs } = this.#setup
    const { fires, ticks, passedOver } = this.#crond
    return {
      from,
      days: this.#tookMs.length,
      seed,
      faults: level,
      hostZone,
      fires,
      ticks: { run: ticks, passedOver },
      killed: this.#killed,
      injected: this.#injected,
      failures: this.#failures,
      failureCount: this.#failureCount,
      byInvariant: this.#byInvariant,
      msPerDay: msPerDay(this.#tookMs),
      tookMs: elapsedMs() - this.#startedMs,
    }
  }

  /** Local midnights of the host; the first day begins where the simulation does. */
  #dayStart(day: number): Millis {
    const { from, hostZone } = this.#setup
    if (day === 1) return from
    return nextSlots({ kind: 'cron', expression: '0 0 * * *' }, hostZone, from, day - 1).at(-1)!
  }

  async #step(limit: Millis): Promise<void> {
    this.#act()
    await this.#advance(limit)
  }

  /** What the host does at this moment. */
  #act(): void {
    if (this.#troubles.strike()) this.#crond.clockWasSet()
    this.#crond.fire(this.#troubles.isFull)
  }

  /** To the next such moment, which is at most a quarter of an hour away. */
  async #advance(limit: Millis): Promise<void> {
    const { machine } = this.#setup
    const { timeline } = machine
    const wallMs = this.#crond.nextAt() - timeline.wall()
    const trueMs = Math.min(this.#troubles.nextAt(), limit) - timeline.trueTime()
    await machine.advance(timeline.elapsedMs + Math.max(0, Math.min(wallMs, trueMs)))
    this.#collect()
  }

  #isQuiet(midnight: Millis): boolean {
    const { lastTickEnd, lastRunEnd } = this.#crond
    const isCalm = this.#setup.machine.live.length === 0 && this.#troubles.isCalm
    return isCalm && lastTickEnd > midnight && lastTickEnd > lastRunEnd
  }

  /** What ended goes into the books; its world is let go. */
  #collect(): void {
    const { machine } = this.#setup
    const { ended } = machine
    machine.ended = []
    for (const process of ended) {
      const { argv, startedAt, world, end } = process
      const written = world.disk.calls.filter(call => call.mutates).map(({ path }) => path)
      for (const path of written) this.#changed.add(path)
      this.#ended.push({ argv, startedAt, end: end!, err: world.terminal.errText })
      if (end!.kind === 'killed') this.#killed += 1
      this.#noteFault(process)
      this.#crond.noteEnd(process)
    }
  }

  #noteFault(process: SimProcess): void {
    const { faults, world, end } = process
    const { disk, name } = faults
    if (name === undefined) return
    const isStruck = disk ? world.disk.calls.length >= disk.at : process.isStruck || faults.isDoubled === true
    if (!isStruck) return
    const where =
      end?.kind === 'killed' ? ` at ${end.at}` : disk ? ` (${disk.kind}) at disk call ${disk.at}` : ''
    this.#struck(name, `${name}${where} in ${nameOf(process)}`)
  }

  #struck(name: string, where: string): void {
    const { timeline } = this.#setup.machine
    this.#injected[name] = (this.#injected[name] ?? 0) + 1
    this.#lastFault = `${where}, ${toIso(timeline.trueTime())}`
  }

  #dayEnd(): DayEnd {
    const { machine } = this.#setup
    const isAll = machine.powerLosses > this.#powerLosses
    const end: DayEnd = {
      now: machine.timeline.trueTime(),
      changed: isAll ? 'all' : this.#changed,
      ended: this.#ended,
    }
    this.#powerLosses = machine.powerLosses
    this.#ended = []
    this.#changed = new Set()
    return end
  }

  #bugs(): Problem[] {
    return this.#ended.flatMap(({ end, argv }) => {
      if (end.kind !== 'threw') return []
      const stack = end.error instanceof Error ? (end.error.stack ?? end.error.message) : String(end.error)
      return [
        {
          invariant: 'no bug',
          what: `${argv.join(' ')} threw: ${stack.split('\n').slice(0, 6).join(' | ')}`,
        },
      ]
    })
  }

  #note(problems: readonly Problem[], day: number, date: string): void {
    for (const { invariant, what } of problems) {
      this.#failureCount += 1
      this.#byInvariant[invariant] = (this.#byInvariant[invariant] ?? 0) + 1
      if (this.#failures.length < mostFailures) {
        const replay = this.#setup.replay(day)
        this.#failures.push({ invariant, what, day, date, after: this.#lastFault, replay })
      }
    }
  }
}

function nameOf({ argv }: Pick<SimProcess, 'argv'>): string {
  return argv.join(' ')
}
