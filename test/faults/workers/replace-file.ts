import { join } from 'node:path'
import { updateJson } from '../../../src/store/json-file.ts'
import { withLock } from '../../../src/store/lock.ts'
import { eachId, waitMs } from './each-id.ts'
import { padding } from './records.ts'

interface State {
  ids: string[]
}

const decode = (value: unknown): State => value as State

void eachId(async (world, dir, id) => {
  await withLock(
    world,
    join(dir, 'state.lock'),
    held => {
      updateJson(world, dir, held, join(dir, 'state.json'), decode, (whole, state) => ({
        ...whole,
        ids: withId(state?.ids ?? [], id),
        padding,
      }))
    },
    { waitMs },
  )
})

function withId(ids: string[], id: string): string[] {
  return ids.includes(id) ? ids : [...ids, id]
}
