import { join } from 'node:path'
import { isObject } from '../core/json-schema.ts'
import { type Millis, toIso } from '../core/millis.ts'
import { createFile } from '../store/atomic-file.ts'
import { readJsonFile } from '../store/json-file.ts'
import { slotStamp } from '../store/stamp.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { slotDir } from './paths.ts'

/** Tries on one slot, the first included: a job that kills its process each time must not do so for ever. */
export const maxSlotTries = 3

export interface SlotClaim {
  run: string
  claimedAt: string
  host: string
  pid: number
}

/** The claims on one slot, first one first. */
export function peekClaims(disk: Disk, root: string, { agent, job, slot }: SlotName): SlotClaim[] {
  const claims: SlotClaim[] = []
  for (let attempt = 1; attempt <= maxSlotTries; attempt++) {
    const file = readJsonFile(disk, claimFile(root, { agent, job, slot }, attempt))
    if (file.state === 'absent') break
    const isClaim = file.state === 'ok' && isObject(file.value) && typeof file.value['run'] === 'string'
    claims.push(isClaim ? (file.value as unknown as SlotClaim) : { run: '', claimedAt: '', host: '', pid: 0 })
  }
  return claims
}

export interface SlotName {
  agent: string
  job: string
  slot: Millis
}

/** The exclusive create that makes a slot run at most once at a time. False when another process was first. */
export function claimSlot(world: World, root: string, name: SlotName, attempt: number, run: string): boolean {
  const { host, clock } = world
  const claim: SlotClaim = { run, claimedAt: toIso(clock.now()), host: host.hostname, pid: host.pid }
  return createFile(world, claimFile(root, name, attempt), `${JSON.stringify(claim)}\n`)
}

function claimFile(root: string, { agent, job, slot }: SlotName, attempt: number): string {
  const stamp = `${slotStamp(slot)}Z`
  return join(slotDir(root, agent, job), attempt === 1 ? stamp : `${stamp}.${attempt}`)
}
