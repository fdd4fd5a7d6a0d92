import { type MemoryFile, scanMemory } from '../../core/memory-scan.ts'
import type { Tool } from '../tool.ts'
import { numberArg, textArg } from './arguments.ts'
import { answer } from './result.ts'

export interface MemorySearchOps {
  /** MEMORY.md, memory/*.md and .learnings of the agent. */
  listMemory: () => readonly MemoryFile[]
}

export function memorySearchTool({ listMemory }: MemorySearchOps): Tool {
  return {
    name: 'memory_search',
    description: 'Search your memory, daily notes and learnings; each result cites file and lines.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1 },
        maxResults: { type: 'integer', minimum: 1, maximum: 50 },
        minScore: { type: 'number', minimum: 0, maximum: 1 },
      },
      required: ['query'],
      additionalProperties: false,
    },
    hasEffect: false,
    async run(args) {
      const files = listMemory()
      const results = scanMemory(files, {
        query: textArg(args, 'query'),
        maxResults: numberArg(args, 'maxResults'),
        minScore: numberArg(args, 'minScore'),
      })
      const found = { results, provider: 'none', model: 'plain', mode: 'plain', citations: 'on' }
      return answer(JSON.stringify(found, null, 1), 'workspace', {
        files: files.length,
        results: results.length,
      })
    },
  }
}
