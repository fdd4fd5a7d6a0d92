import type { FileOps } from '../../core/file-ops.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import type { Tool } from '../tool.ts'
import { textArg } from './arguments.ts'
import { pathParameter, writtenResult } from './file-result.ts'

export const writeParameters: JsonSchema = {
  type: 'object',
  properties: {
    path: pathParameter,
    content: { type: 'string', description: 'The whole new text of the file' },
  },
  required: ['path', 'content'],
  additionalProperties: false,
}

export function writeTool(files: Pick<FileOps, 'write'>): Tool {
  return {
    name: 'write',
    description: 'Write a whole file in your own folder; missing folders are made.',
    parameters: writeParameters,
    hasEffect: true,
    run: async args =>
      writtenResult(await files.write(textArg(args, 'path'), textArg(args, 'content'), 'own')),
  }
}
