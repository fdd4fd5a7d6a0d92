import { isObject } from '../core/json-schema.ts'
import { type Millis, toIso } from '../core/millis.ts'
import { maxAttempts } from '../core/retry.ts'
import { createFile } from '../store/atomic-file.ts'
import { readJsonFile } from '../store/json-file.ts'
import { slotStamp } from '../store/stamp.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { slotDir } from './paths.ts'

export interface SlotClaim {
  run: string
  claimedAt: string
  host: string
  pid: number
  /** Its run had asked a model. */
  hadEffects: boolean
}

/** The claims on one slot, first one first. */
export function peekClaims(disk: Disk, root: string, { agent, job, slot }: SlotName): SlotClaim[] {
  const claims: SlotClaim[] = []
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const file = readJsonFile(disk, claimFile(root, { agent, job, slot }, attempt))
    if (file.state === 'absent') break
    const isClaim = file.state === 'ok' && isObject(file.value) && typeof file.value['run'] === 'string'
    const hadEffects = disk.stat(effectsFile(root, { agent, job, slot }, attempt)) !== undefined
    const claim = isClaim ? (file.value as unknown as SlotClaim) : unreadable
    claims.push({ ...claim, hadEffects })
  }
  return claims
}

const unreadable: SlotClaim = { run: '', claimedAt: '', host: '', pid: 0, hadEffects: false }

export interface SlotName {
  agent: string
  job: string
  slot: Millis
}

/** The exclusive create that makes a slot run at most once at a time. False when another process was first. */
export function claimSlot(world: World, root: string, name: SlotName, attempt: number, run: string): boolean {
  const { host, clock } = world
  const claim: Omit<SlotClaim, 'hadEffects'> = {
    run,
    claimedAt: toIso(clock.now()),
    host: host.hostname,
    pid: host.pid,
  }
  return createFile(world, claimFile(root, name, attempt), `${JSON.stringify(claim)}\n`)
}

/**
 * Says, before the first call of a model, that this attempt is not free to repeat:
 * money is spent and tools may act from here on. Durable; repeating it is harmless.
 */
export function markEffects(world: World, root: string, name: SlotName, attempt: number): void {
  createFile(world, effectsFile(root, name, attempt), `${toIso(world.clock.now())}\n`)
}

function effectsFile(root: string, name: SlotName, attempt: number): string {
  return `${claimFile(root, name, attempt)}.asked`
}

function claimFile(root: string, { agent, job, slot }: SlotName, attempt: number): string {
  const stamp = `${slotStamp(slot)}Z`
  return `${slotDir(root, agent, job)}/${stamp}${attempt === 1 ? '' : `.${attempt}`}`
}
