import type { FileOps } from '../../core/file-ops.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import type { Tool } from '../tool.ts'
import { numberArg, textArg } from './arguments.ts'
import { pathParameter, readResult } from './file-result.ts'

export const readParameters: JsonSchema = {
  type: 'object',
  properties: {
    path: pathParameter,
    offset: { type: 'integer', minimum: 1, description: 'First line, from 1' },
    limit: { type: 'integer', minimum: 1, maximum: 10_000, description: 'Number of lines, default 2000' },
  },
  required: ['path'],
  additionalProperties: false,
}

export function readTool(files: Pick<FileOps, 'read'>): Tool {
  return {
    name: 'read',
    description: 'Read a text file, or list a folder.',
    parameters: readParameters,
    hasEffect: false,
    run: async args =>
      readResult(files.read(textArg(args, 'path'), 'own'), {
        offset: numberArg(args, 'offset'),
        limit: numberArg(args, 'limit'),
      }),
  }
}
