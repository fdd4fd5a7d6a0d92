import type { Clock } from './clock.ts'
import type { Millis } from '../core/millis.ts'
import { type LocalTime, localTimeOf } from '../core/zone.ts'

/** The longest time that `setTimeout` takes; a longer one fires at once. */
const maxTimerMs = 2 ** 31 - 1

/** The machine's clock, or one that began at `startAt` and runs on from there. */
export function nodeClock(startAt?: Millis): Clock {
  const offsetMs = startAt === undefined ? 0 : startAt - Date.now()
  return {
    now: () => Date.now() + offsetMs,
    local,
    elapsed: monotonicMs,
    sleep,
    timer,
  }
}

/** Milliseconds that only grow, from an arbitrary zero: the clock of `performance.now()`, which takes 1 ms to load. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/*
 * The first use of Intl costs 20 ms of a process, a third of its start; the
 * clock of the C library knows the same zones. Synchronous, so nothing sees the
 * variable in between.
 */
function local(at: Millis, timeZone: string): LocalTime {
  const before = process.env['TZ']
  process.env['TZ'] = timeZone
  try {
    return localTimeOf(at, -new Date(at).getTimezoneOffset())
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted) return
  await wait(Math.min(ms, maxTimerMs), signal)
  await sleep(ms - maxTimerMs, signal)
}

function timer(ms: number, fire: () => void): () => void {
  const over = new AbortController()
  void sleep(ms, over.signal).then(() => {
    if (!over.signal.aborted) fire()
  })
  return () => over.abort()
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
