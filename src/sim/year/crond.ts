import { type Millis, minuteMs } from '../../core/millis.ts'
import type { YearSetup } from '../year.ts'
import { type CronLine, nextFire } from './crontab.ts'
import type { FaultTable, ProcessFaults } from './fault-table.ts'
import type { SimProcess } from './machine.ts'

/** A tick is never left out for longer: outbox, upkeep and the alarm of its absence live on it. */
const tickAtLeastMs = 15 * minuteMs

type Setup = Pick<YearSetup, 'machine' | 'lines' | 'hostZone' | 'level' | 'everyTick' | 'idleUntil'>

/**
 * The host's cron: starts each line when its time comes on the wall clock. A tick
 * is passed over while nothing can have changed since the one before.
 */
export class Crond {
  fires = 0
  ticks = 0
  passedOver = 0
  /** True time at which the last tick came to a good end. */
  lastTickEnd = 0
  /** The same of any other process. */
  lastRunEnd = 0
  readonly #setup: Setup
  readonly #faults: FaultTable
  readonly #jobs: { line: CronLine; at: Millis }[]
  readonly #tick: CronLine | undefined
  #lastTickAt: Millis
  /** When it is next asked whether a tick would find anything to do. */
  #askAt: Millis
  #isTickWanted = true

  constructor(setup: Setup, faults: FaultTable) {
    this.#setup = setup
    this.#faults = faults
    const { lines, hostZone, machine } = setup
    const now = machine.timeline.wall()
    this.#tick = lines.find(({ isTick }) => isTick)
    this.#jobs = lines
      .filter(({ isTick }) => !isTick)
      .map(line => ({ line, at: nextFire(line, hostZone, now - 1) }))
    this.#lastTickAt = now - minuteMs
    this.#askAt = now
  }

  get started(): number {
    return this.fires + this.ticks
  }

  /** By the wall clock, when something fires next. */
  nextAt(): Millis {
    let next = this.#askAt
    for (const { at } of this.#jobs) if (at < next) next = at
    return next
  }

  /** Starts what is due now. On a full disk nothing can be written from the first call on. */
  fire(isFull: boolean): void {
    const { machine, hostZone } = this.#setup
    const now = machine.timeline.wall()
    for (const job of this.#jobs) {
      if (job.at > now) continue
      job.at = nextFire(job.line, hostZone, now)
      this.fires += 1
      this.#start(job.line, this.#faults.forProcess('run'), isFull)
    }
    if (!this.#tick || this.#askAt > now) return
    const idleUntil = this.#idleUntil(now)
    this.#askAt = Math.max(nextMinute(now), Math.ceil(idleUntil / minuteMs) * minuteMs)
    if (idleUntil > now) return
    this.passedOver += Math.max(0, Math.round((now - this.#lastTickAt) / minuteMs) - 1)
    this.#lastTickAt = now
    this.#isTickWanted = false
    this.ticks += 1
    this.#start(this.#tick, this.#faults.forProcess('tick'), isFull)
  }

  /** Cron looks at the clock anew: what lies before now is gone, what lies after it comes (again). */
  clockWasSet(): void {
    const { machine, hostZone } = this.#setup
    const now = machine.timeline.wall()
    for (const job of this.#jobs) job.at = nextFire(job.line, hostZone, now)
    this.#lastTickAt = Math.min(this.#lastTickAt, now)
    this.wantTick()
  }

  /** At the next full minute. */
  wantTick(): void {
    this.#isTickWanted = true
    this.#askSoon()
  }

  noteEnd({ argv, end }: SimProcess): void {
    this.#askSoon()
    const now = this.#setup.machine.timeline.trueTime()
    if (!argv.includes('tick')) this.lastRunEnd = now
    else if (end?.kind === 'exited' && end.exitCode === 0) this.lastTickEnd = now
  }

  #askSoon(): void {
    this.#askAt = Math.min(this.#askAt, nextMinute(this.#setup.machine.timeline.wall()))
  }

  /** A tick is passed over until then. While processes run it has to wait for them, unless something goes wrong. */
  #idleUntil(now: Millis): Millis {
    const { everyTick, machine, level, idleUntil } = this.#setup
    const isBusy = machine.live.length > 0
    const isMeant = this.#isTickWanted || everyTick || (level !== 'none' && isBusy)
    if (isMeant || now - this.#lastTickAt >= tickAtLeastMs) return now
    if (isBusy) return now + minuteMs
    return Math.min(idleUntil() ?? now, this.#lastTickAt + tickAtLeastMs)
  }

  #start(line: CronLine, faults: ProcessFaults, isFull: boolean): void {
    const { machine } = this.#setup
    const started = [machine.start(line.argv, faults)]
    if (faults.isDoubled) started.push(machine.start(line.argv))
    if (!isFull) return
    for (const { world } of started) world.disk.fault = { at: 1, kind: 'ENOSPC', sticky: true }
  }
}

function nextMinute(at: Millis): Millis {
  return (Math.floor(at / minuteMs) + 1) * minuteMs
}
