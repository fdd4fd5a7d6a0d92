import type { FileOps } from '../../core/file-ops.ts'
import type { Tool } from '../tool.ts'
import { textArg } from './arguments.ts'
import { writtenResult } from './file-result.ts'
import { writeParameters } from './write.ts'

export function sharedWriteTool(files: Pick<FileOps, 'write'>): Tool {
  return {
    name: 'shared_write',
    description: 'Write a whole file for the team below shared-context/.',
    parameters: writeParameters,
    hasEffect: true,
    run: async args =>
      writtenResult(await files.write(textArg(args, 'path'), textArg(args, 'content'), 'shared')),
  }
}
