import type { FileOps } from '../../core/file-ops.ts'
import type { Tool } from '../tool.ts'
import { numberArg, textArg } from './arguments.ts'
import { readResult } from './file-result.ts'
import { readParameters } from './read.ts'

export function sharedReadTool(files: Pick<FileOps, 'read'>): Tool {
  return {
    name: 'shared_read',
    description: 'Read a file of the team below shared-context/, or list one of its folders.',
    parameters: readParameters,
    hasEffect: false,
    run: async args =>
      readResult(files.read(textArg(args, 'path'), 'shared'), {
        offset: numberArg(args, 'offset'),
        limit: numberArg(args, 'limit'),
      }),
  }
}
