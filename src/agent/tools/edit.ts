import type { FileOps } from '../../core/file-ops.ts'
import type { Tool } from '../tool.ts'
import { flagArg, textArg } from './arguments.ts'
import { pathParameter, writtenResult } from './file-result.ts'

export function editTool(files: Pick<FileOps, 'edit'>): Tool {
  return {
    name: 'edit',
    description: 'Replace an exact piece of text in a file of your own folder; it must occur once.',
    parameters: {
      type: 'object',
      properties: {
        path: pathParameter,
        oldText: { type: 'string', minLength: 1, description: 'Copied exactly from the file' },
        newText: { type: 'string' },
        replaceAll: { type: 'boolean', description: 'Replace every place, default false' },
      },
      required: ['path', 'oldText', 'newText'],
      additionalProperties: false,
    },
    hasEffect: true,
    async run(args) {
      const edit = {
        oldText: textArg(args, 'oldText'),
        newText: textArg(args, 'newText'),
        replaceAll: flagArg(args, 'replaceAll'),
      }
      return writtenResult(await files.edit(textArg(args, 'path'), edit, 'own'))
    },
  }
}
