import { join } from 'node:path'
import { withLock } from '../../../src/store/lock.ts'
import { eachId, waitMs } from './each-id.ts'
import { appendOnce, padding } from './records.ts'

void eachId((world, dir, id) =>
  withLock(
    world,
    join(dir, 'records.lock'),
    held => appendOnce(held, world.disk, dir, { id, padding } as { id: string }),
    {
      waitMs,
    },
  ),
)
