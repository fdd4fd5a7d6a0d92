import * as fs from 'node:fs'
import { dirname } from 'node:path'
import type { LockHandle, Locks } from './locks.ts'
import { errnoName, systemCall } from './node-errno.ts'
import { type Flock, findFlock } from './node-flock.ts'

/** Each time someone deletes the file between our open and our lock; more is no accident. */
const maxTries = 10

/** `O_EXLOCK | O_NONBLOCK` of the BSDs: open and lock in one call. */
const openLocked = 0x20 | 0x4

const plainOpen = fs.constants.O_RDWR | fs.constants.O_CREAT

/**
 * Kernel locks. The file is 0600, its folder is made when absent. Node opens with
 * O_CLOEXEC, so no child inherits a lock. `flock` is found at the first lock, and
 * given only by tests.
 */
export function nodeLocks(flock?: Flock): Locks {
  let found = flock
  const lockedOpen = (path: string): number | undefined => {
    if (process.platform === 'darwin' && !flock) return openUnlessHeld(path)
    const fd = fs.openSync(path, plainOpen, 0o600)
    found ??= findFlock()
    return keepIf(fd, found)
  }
  return {
    tryLock: path =>
      systemCall('lock', path, () => {
        for (let tries = 0; tries < maxTries; tries += 1) {
          const fd = withFolder(path, () => lockedOpen(path))
          if (fd === undefined) return undefined
          if (isStillAt(path, fd)) return handleOf(fd)
          fs.closeSync(fd)
        }
        throw Object.assign(new Error('the lock file is deleted as fast as it is made'), { code: 'ESTALE' })
      }),
  }
}

function handleOf(fd: number): LockHandle {
  let isHeld = true
  return {
    release: () => {
      if (isHeld) fs.closeSync(fd)
      isHeld = false
    },
  }
}

function keepIf(fd: number, flock: Flock): number | undefined {
  let isKept = false
  try {
    isKept = flock(fd)
  } finally {
    if (!isKept) fs.closeSync(fd)
  }
  return isKept ? fd : undefined
}

function openUnlessHeld(path: string): number | undefined {
  try {
    return fs.openSync(path, plainOpen | openLocked, 0o600)
  } catch (error) {
    if (errnoName(error) === 'EAGAIN') return undefined
    throw error
  }
}

function withFolder<T>(path: string, body: () => T): T {
  try {
    return body()
  } catch (error) {
    if (errnoName(error) !== 'ENOENT') throw error
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return body()
  }
}

/** A lock on a file that was deleted meanwhile guards nothing: the next one makes a new file. */
function isStillAt(path: string, fd: number): boolean {
  const there = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
  const held = fs.fstatSync(fd, { bigint: true })
  return there !== undefined && there.dev === held.dev && there.ino === held.ino
}
