// Holds a lock or a lease until it is killed; on each line of stdin it writes if it may. argv: kind, path, file
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { isClawError } from '../../src/core/claw-error.ts'
import { type Lease, takeLease } from '../../src/store/lease.ts'
import { withLock } from '../../src/store/lock.ts'
import { nodeSharedLocks } from '../../src/world/node-shared-locks.ts'
import { hereOwner, realWorld } from './real-world.ts'

const [, , kind = '', path = '', file = ''] = process.argv

if (kind === 'lock') {
  await withLock(realWorld(), path, () => {
    console.log('held')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
} else {
  const volume = kind === 'local' ? 'local' : 'shared'
  const options = {
    owner: hereOwner('child'),
    volume,
    sharedLocks: nodeSharedLocks(),
    staleMs: 2000,
  } as const
  const lease = await takeLease(realWorld(), path, options)
  console.log(lease.kind)
  if (lease.kind === 'held')
    for await (const line of createInterface({ input: process.stdin })) obey(line, lease)
}

/** `blind` is the broken twin: it writes without asking. */
function obey(line: string, lease: Lease): void {
  try {
    if (kind !== 'blind') lease.assertHeld()
    appendFileSync(file, `child ${line}\n`)
    console.log('written')
  } catch (error) {
    if (!isClawError(error, 'lease-lost')) throw error
    console.log('lost')
  }
}
