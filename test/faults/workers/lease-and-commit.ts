import { join } from 'node:path'
import { ClawError } from '../../../src/core/claw-error.ts'
import { toIso } from '../../../src/core/millis.ts'
import { takeLease } from '../../../src/store/lease.ts'
import { ownerInWords } from '../../../src/store/lease-owner.ts'
import { withLock } from '../../../src/store/lock.ts'
import { eachId, waitMs } from './each-id.ts'
import { appendOnce } from './records.ts'

void eachId(async (world, dir, id) => {
  const { host, clock } = world
  const owner = {
    run: id,
    host: host.hostname,
    pid: host.pid,
    processStart: host.processStart,
    since: toIso(clock.now()),
    what: 'ainews/digest',
  }
  const taken = await takeLease(world, join(dir, 'leases', 'digest'), { owner, volume: 'local' })
  if (taken.kind === 'busy') throw new ClawError('busy', `digest is busy, ${ownerInWords(taken.owner)}`)
  try {
    await withLock(
      world,
      join(dir, 'records.lock'),
      held => {
        taken.assertHeld()
        appendOnce(held, world.disk, dir, { id })
      },
      { waitMs },
    )
  } finally {
    taken.release()
  }
})
