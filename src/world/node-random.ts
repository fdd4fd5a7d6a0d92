import type { Random } from './random.ts'
import { uuidV7 } from './uuid-v7.ts'
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
  const { randomBytes } = process.getBuiltinModule('node:crypto')
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)
}
