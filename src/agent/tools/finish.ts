import type { JsonSchema } from '../../core/json-schema.ts'
import type { Tool } from '../tool.ts'

const textOnly: JsonSchema = {
  type: 'object',
  properties: { text: { type: 'string', minLength: 1, description: 'The finished text, complete' } },
  required: ['text'],
  additionalProperties: false,
}

/** Ends the turn with `{text}`. */
export function finishTool(): Tool {
  return {
    name: 'finish',
    description: 'Hand in the finished result and end the turn.',
    parameters: textOnly,
    hasEffect: false,
    run: async args => ({ text: 'finished', isError: false, provenance: 'harness', value: args }),
  }
}
