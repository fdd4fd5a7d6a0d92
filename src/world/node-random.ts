import { closeSync, openSync, readSync } from 'node:fs'
import { uuidV7 } from './uuid-v7.ts'
import type { Random } from './random.ts'
import type { Millis } from '../core/millis.ts'

/** From the kernel's generator. `now` dates the uuids. */
export function nodeRandom(now: () => Millis): Random {
  return {
    hex: randomHex,
    uuid: () => uuidV7(now(), randomHex(20)),
    fraction: () => Math.random(),
  }
}

function randomHex(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)
}

/** From its file, where there is one: node:crypto asks the same generator and takes 5 ms to load. */
function randomBytes(count: number): Buffer {
  return fromKernelFile(count) ?? process.getBuiltinModule('node:crypto').randomBytes(count)
}

function fromKernelFile(count: number): Buffer | undefined {
  let fd: number | undefined
  try {
    fd = openSync('/dev/urandom', 'r')
    const bytes = Buffer.alloc(count)
    return readSync(fd, bytes) === count ? bytes : undefined
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
