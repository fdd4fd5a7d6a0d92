import { basename } from 'node:path'
import { ClawError } from '../core/claw-error.ts'
import { toIso } from '../core/millis.ts'
import type { LockHandle } from '../world/locks.ts'
import type { World } from '../world/world.ts'
import { holderPid } from './lock-holder.ts'
import { orNotRecorded } from './recorded.ts'

const brand: unique symbol = Symbol('held')
const live = new WeakSet<Held>()

/** Proof that a lock is held; only `withLock` makes one, and it ends with the body. */
export interface Held {
  readonly path: string
  readonly [brand]: true
}

/** A promise is no result of a lock's body: it would outlive the lock. */
export type Sync<T> = T extends PromiseLike<unknown> ? never : T

export interface LockOptions {
  /** Longest wait, default 10,000. Zero is one try. */
  waitMs?: number
}

/** With `disk` a busy lock can name its holder. */
export type LockWorld = Pick<World, 'locks' | 'clock' | 'random' | 'host'> & Partial<Pick<World, 'disk'>>

/**
 * Runs `body` while this process holds the kernel lock on `path`, which is never
 * deleted. Throws `busy` when it stays taken for `waitMs`, `not-recorded` when
 * the lock file cannot be used.
 */
export async function withLock<T>(
  world: LockWorld,
  path: string,
  body: (held: Held) => Sync<T>,
  options: LockOptions = {},
): Promise<T> {
  const handle = await take(world, path, options.waitMs ?? 10_000)
  const held: Held = { path, [brand]: true }
  live.add(held)
  try {
    return body(held)
  } finally {
    live.delete(held)
    handle.release()
  }
}

/** A writer asks this first: a `Held` that outlived its body is a bug. */
export function requireHeld(held: Held): void {
  if (!live.has(held)) throw new Error(`a write after the lock on ${held.path} was released`)
}

async function take(world: LockWorld, path: string, waitMs: number): Promise<LockHandle> {
  const { locks, clock, random } = world
  const startMs = clock.elapsed()
  const since = clock.now()
  for (let tryCount = 0; ; tryCount++) {
    const handle = orNotRecorded(path, () => locks.tryLock(path))
    if (handle !== undefined) return handle
    const leftMs = waitMs - (clock.elapsed() - startMs)
    if (leftMs <= 0) throw busy(world, path, toIso(since))
    await clock.sleep(Math.min(leftMs, pauseMs(tryCount, random.fraction())))
  }
}

/** 1 to 3 ms at first, growing to at most 40: a lock is held for milliseconds. */
function pauseMs(tryCount: number, fraction: number): number {
  return Math.min(1 + tryCount / 2, 20) * (1 + fraction)
}

function busy({ disk }: LockWorld, path: string, since: string): ClawError {
  const pid = disk && holderPid(disk, path)
  const holder = pid === undefined ? 'another process' : `pid ${pid}`
  return new ClawError('busy', `${basename(path)} is busy, held by ${holder} since ${since} or earlier`, {
    hint: `see who holds ${path}; a stopped process keeps its locks`,
  })
}
