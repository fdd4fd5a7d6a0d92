import { createHash } from 'node:crypto'
import type { Plan, PlannedJob } from '../../../src/core/render/plan.ts'

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function plannedJob(given: Partial<PlannedJob> = {}): PlannedJob {
  return {
    agent: 'ainews',
    name: 'morning-digest',
    expression: '30 8 * * *',
    timeZone: 'Asia/Shanghai',
    hostLines: ['30 0 * * *'],
    withinMs: 7_200_000,
    ...given,
  }
}

export function planAt(root: string, jobs: readonly PlannedJob[] = [plannedJob()]): Plan {
  const program = { nodePath: process.execPath, scriptPath: `${root}/dist/main.js`, root }
  return { program, hostZone: 'Etc/UTC', jobs, byTick: [], digest }
}

/** Of every shape that a schedule has. */
export const expressions = [
  '30 8 * * *',
  '*/5 9-15 * * 1-5',
  '0 22-2 * * *',
  '0 9 * * FRI-MON',
  '15 10 1,15 * *',
  '0 0 29 2 *',
  '0 12 1 jan,JUL *',
  '10 6 13 * 5',
  '0 6 */2 * 1',
  '0 0 * * 7',
  '5-55/10 * * 11-2 *',
  '* * * * *',
]
