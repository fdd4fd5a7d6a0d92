import type { Collector } from '../../agent/collector.ts'

/** The heads only: what does the work is loaded when a job asks for it. */
export const teamCollectors: Collector[] = [
  {
    name: 'files.collect',
    description:
      'Files of the workspace, item by item; one that is missing or too old is a source that failed.',
    collect: async (options, context) => (await import('./files-collect.ts')).collectFiles(options, context),
  },
  {
    name: 'team.collect',
    description:
      'How the team stands: jobs, silent agents, sessions, learnings, deliveries, disk, old files.',
    collect: async (options, context) => (await import('./team-collect.ts')).collectTeam(options, context),
  },
  {
    name: 'team.backup',
    description: 'Copies the workspace to backups/<date>/, verified by size, and keeps the newest ones.',
    collect: async (options, context) => (await import('./team-backup.ts')).backUpTeam(options, context),
  },
  {
    name: 'team.memory',
    description: 'How large each MEMORY.md is and what waits to be archived, also as a JSON report.',
    collect: async (options, context) => (await import('./team-memory.ts')).collectMemory(options, context),
  },
]
