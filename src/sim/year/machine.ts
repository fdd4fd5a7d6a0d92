import { memHost } from '../mem-host.ts'
import type { MemDisk } from '../mem-disk.ts'
import type { PowerLoss } from '../mem-inode.ts'
import { MemLocks } from '../mem-locks.ts'
import { MemTerminal } from '../mem-terminal.ts'
import { ScriptHttp } from '../script-http.ts'
import { ScriptSpawn } from '../script-spawn.ts'
import { SeededRandom } from '../seeded-random.ts'
import type { Millis } from '../../core/millis.ts'
import type { Host } from '../../world/host.ts'
import type { World } from '../../world/world.ts'
import { ProcessClock } from './process-clock.ts'
import type { ProcessFaults } from './fault-table.ts'
import { seedOf } from './seed-of.ts'
import { Timeline } from './timeline.ts'

export interface SimWorldOfProcess extends World {
  disk: MemDisk
  locks: MemLocks
  clock: ProcessClock
  terminal: MemTerminal
}

/** One command line on the simulated machine, from its start to its end. */
export interface SimProcess {
  argv: readonly string[]
  world: SimWorldOfProcess
  faults: ProcessFaults
  /** As its own clock showed it. */
  startedAt: Millis
  end: ProcessEnd | undefined
  /** One of its faults did happen. */
  isStruck: boolean
}

export type ProcessEnd =
  | { kind: 'exited'; exitCode: number }
  | { kind: 'killed'; at: string }
  /** It threw what no command may throw. */
  | { kind: 'threw'; error: unknown }

/** Runs the command line in this process; resolves to its exit code. */
export type RunCommand = (process: SimProcess) => Promise<number>

interface MachineOptions {
  disk: MemDisk
  start: Millis
  seed: number
  run: RunCommand
  host?: Partial<Host>
}

/** A real module may take a moment to load; one that never comes is a fault of the simulation. */
const patienceTurns = 60_000
const quickTurns = 2_000

/**
 * A host on which processes run in turns: one at a time, until it sleeps or ends.
 * So a run is the same each time, and two processes still meet at every point
 * where one of them waits.
 */
export class Machine {
  readonly timeline: Timeline
  readonly disk: MemDisk
  readonly locks = new MemLocks()
  /** What ended since this was last emptied. */
  ended: SimProcess[] = []
  /** How often the power went. */
  powerLosses = 0
  readonly #options: MachineOptions
  readonly #live = new Set<SimProcess>()
  readonly #parents = new WeakMap<SimProcess, SimProcess>()
  readonly #waiters = new Map<SimProcess, () => void>()
  readonly #ready: { process: SimProcess; begin: () => Promise<number> }[] = []
  #lastPid = 1000

  constructor(options: MachineOptions) {
    this.#options = options
    this.disk = options.disk
    this.timeline = new Timeline(options.start)
    this.disk.now = () => this.timeline.wall()
  }

  get live(): readonly SimProcess[] {
    return [...this.#live]
  }

  /** One more process, which does nothing yet. */
  world(): SimWorldOfProcess {
    const { timeline } = this
    const pid = (this.#lastPid += 1)
    const disk = this.disk.view()
    return {
      disk,
      locks: this.locks.view(() => disk.isDead),
      clock: new ProcessClock(timeline),
      random: new SeededRandom(seedOf(this.#options.seed, pid), () => timeline.wall()),
      http: new ScriptHttp(),
      spawn: new ScriptSpawn(),
      terminal: new MemTerminal(),
      host: memHost({ ...this.#options.host, pid }),
    }
  }

  /** Begins at the next `advance`. */
  start(argv: readonly string[], faults: ProcessFaults = {}): SimProcess {
    const process: SimProcess = {
      argv,
      world: this.world(),
      faults,
      startedAt: this.timeline.wall(),
      end: undefined,
      isStruck: false,
    }
    if (faults.disk) process.world.disk.fault = { at: faults.disk.at, kind: faults.disk.kind }
    this.#live.add(process)
    this.#ready.push({ process, begin: () => this.#options.run(process) })
    return process
  }

  /** Another process that this one waits for. Null when it was killed. */
  async launch(
    parent: SimProcess,
    argv: readonly string[],
  ): Promise<{ exitCode: number | null; err: string }> {
    const child = this.start(argv)
    this.#parents.set(child, parent)
    await parent.world.clock.blocked(new Promise<void>(resolve => this.#waiters.set(child, resolve)))
    const { end } = child
    return { exitCode: end?.kind === 'exited' ? end.exitCode : null, err: child.world.terminal.errText }
  }

  /** Lets the processes work until so much time has passed. */
  async advance(untilMs: number): Promise<void> {
    for (;;) {
      const next = this.#ready.shift()
      if (next) {
        await this.#begin(next)
        continue
      }
      const wait = this.timeline.take(untilMs)
      if (!wait) break
      wait.fire()
      const owner = this.live.find(({ world }) => world.clock === wait.owner)
      if (owner) await this.#untilIdle(owner)
    }
    this.timeline.elapsedMs = Math.max(this.timeline.elapsedMs, untilMs)
  }

  /** The process is gone at once; the kernel frees its locks. */
  kill(process: SimProcess, at: string): void {
    process.world.disk.kill()
    this.#over(process, { kind: 'killed', at })
  }

  /** Everything stops, and what was not synced is lost. */
  losePower(loss: PowerLoss): void {
    this.powerLosses += 1
    this.#ready.length = 0
    for (const process of this.live) this.kill(process, 'lost power')
    this.disk.reboot(loss)
  }

  async #begin({ process, begin }: { process: SimProcess; begin: () => Promise<number> }): Promise<void> {
    if (process.end) return
    const over = (end: ProcessEnd): void => {
      if (!process.world.disk.isDead) this.#over(process, end)
    }
    begin().then(
      exitCode => over({ kind: 'exited', exitCode }),
      (error: unknown) => over({ kind: 'threw', error }),
    )
    await this.#untilIdle(process)
  }

  /** Until it sleeps, waits for a child, or is over; a parent that waited for it goes on then. */
  async #untilIdle(process: SimProcess): Promise<void> {
    for (let turns = 0; ; turns++) {
      await turn(turns)
      if (process.world.disk.isDead && !process.end) this.#die(process)
      if (process.end) break
      if (process.world.clock.waiting > 0 && turns > 0) return
      if (turns > patienceTurns)
        throw new Error(`the simulated process ${process.argv.join(' ')} neither sleeps nor ends`)
    }
    const parent = this.#parents.get(process)
    if (parent && !parent.end) await this.#untilIdle(parent)
  }

  #die(process: SimProcess): void {
    const { disk } = process.faults
    const last = process.world.disk.calls.at(-1)
    const at = last ? `disk call ${last.number}, ${last.name} ${last.path}` : 'its start'
    if (disk?.power) {
      this.#over(process, { kind: 'killed', at: `${at}, and the power went (${disk.power})` })
      this.losePower(disk.power)
    } else this.#over(process, { kind: 'killed', at })
  }

  #over(process: SimProcess, end: ProcessEnd): void {
    if (process.end) return
    process.end = end
    process.world.clock.stop()
    process.world.locks.reboot()
    this.#live.delete(process)
    this.ended.push(process)
    this.#waiters.get(process)?.()
    this.#waiters.delete(process)
  }
}

function turn(turns: number): Promise<void> {
  return new Promise(resolve => {
    if (turns < quickTurns) setImmediate(resolve)
    else setTimeout(resolve, 1)
  })
}
