import { join } from 'node:path'
import { editShared } from '../../../src/store/shared-edit.ts'
import { eachId } from './each-id.ts'

/** Short looks: nobody else edits during a sweep. */
const looks = { settleMs: 1, confirmMs: 2 }

void eachId(async (world, dir, id) => {
  const line = `- ${id}\n`
  const add = (text: string): string =>
    text.includes(line) ? text : text.replace('## Claw\n', `## Claw\n${line}`)
  await editShared(world, dir, join(dir, 'MEMORY.md'), add, looks)
})
