import type { Millis } from '../../core/millis.ts'
import type { HostFault } from './fault-table.ts'
import type { Machine } from './machine.ts'

type Told = (name: string, where: string) => void

/** What befalls the whole host: it sleeps, its clock is set, its disk fills up, its power goes. */
export class HostTroubles {
  isFull = false
  readonly #machine: Machine
  readonly #told: Told
  #planned: { at: Millis; strike: () => boolean }[] = []
  #isStepped = false

  constructor(machine: Machine, told: Told) {
    this.#machine = machine
    this.#told = told
  }

  /** True time of the next one. */
  nextAt(): Millis {
    return Math.min(...this.#planned.map(({ at }) => at), Number.POSITIVE_INFINITY)
  }

  /** Nothing is out of order right now. */
  get isCalm(): boolean {
    return !this.isFull && !this.#isStepped
  }

  plan(faults: readonly HostFault[], dayStart: Millis): void {
    for (const fault of faults) this.#at(dayStart + fault.atMs, () => this.#begin(fault))
  }

  /** Does what is due; true when cron has to look at the clock anew. */
  strike(): boolean {
    const now = this.#machine.timeline.trueTime()
    const due = this.#planned.filter(({ at }) => at <= now)
    this.#planned = this.#planned.filter(({ at }) => at > now)
    return due.map(({ strike }) => strike()).some(Boolean)
  }

  #begin(fault: HostFault): boolean {
    const { timeline } = this.#machine
    const over = timeline.trueTime() + fault.ms
    const minutes = `${Math.round(fault.ms / 60_000)} minutes`
    switch (fault.kind) {
      case 'sleep':
        this.#told(fault.kind, `the host slept ${minutes}`)
        timeline.suspend(fault.ms)
        return true
      case 'power-cut':
        this.#told(fault.kind, `the power went (${fault.loss}) for ${minutes}`)
        this.#machine.losePower(fault.loss)
        timeline.suspend(fault.ms)
        return true
      case 'clock-step':
        this.#told(
          fault.kind,
          `the clock was ${Math.round(fault.stepMs / 60_000)} minutes off for ${minutes}`,
        )
        this.#setClock(fault.stepMs)
        this.#at(over, () => this.#setClock(0))
        return true
      case 'disk-full':
        this.#told(fault.kind, `the disk was full for ${minutes}`)
        this.#setFull(true)
        this.#at(over, () => this.#setFull(false))
        return false
    }
  }

  #at(at: Millis, strike: () => boolean): void {
    this.#planned.push({ at, strike })
  }

  #setClock(stepMs: number): boolean {
    this.#isStepped = stepMs !== 0
    this.#machine.timeline.step(stepMs)
    return true
  }

  #setFull(isFull: boolean): boolean {
    this.isFull = isFull
    for (const { world } of this.#machine.live) {
      const { disk } = world
      if (isFull) disk.fault = { at: disk.calls.length + 1, kind: 'ENOSPC', sticky: true }
      else if (disk.fault?.sticky) disk.fault = undefined
    }
    return !isFull
  }
}
