import { join } from 'node:path'
import { createFile } from '../../../src/store/atomic-file.ts'
import { eachId } from './each-id.ts'

void eachId(async (world, dir, id) => {
  createFile(world, join(dir, 'slots', 'ainews', id), `${JSON.stringify({ id })}\n`)
})
