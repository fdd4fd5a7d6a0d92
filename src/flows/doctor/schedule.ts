import { relative } from 'node:path'
import { isClawError } from '../../core/claw-error.ts'
import { incidentsFile, watchFile } from '../../records/paths.ts'
import { peekIncidents } from '../../records/incidents.ts'
import { readJsonFile } from '../../store/json-file.ts'
import { lintCron } from '../schedule/cron-lint.ts'
import { scheduleState } from '../schedule/missed-slots.ts'
import type { Check, CheckInput, Finding } from './finding.ts'

const check = 'schedule'

/** Whether the team is woken, what of it rests, and what its schedules do that surprises. */
export const checkSchedule: Check = async input => [
  ...damagedFiles(input),
  ...(await silence(input)),
  ...pausedJobs(input),
  ...(await lintFindings(input)),
]

function damagedFiles({ world, root }: CheckInput): Finding[] {
  return [watchFile(root), incidentsFile(root)].flatMap((file): Finding[] => {
    const read = readJsonFile(world.disk, file)
    if (read.state !== 'damaged') return []
    const { why, line } = read
    return [
      { level: 'error', check, path: relative(root, file), ...(line !== undefined && { line }), text: why },
    ]
  })
}

async function silence({ world, root }: CheckInput): Promise<Finding[]> {
  const { warning } = await scheduleState(world, root)
  return warning === undefined ? [] : [{ level: 'warning', check, path: '', text: warning }]
}

function pausedJobs({ world, root }: CheckInput): Finding[] {
  const { paused } = peekIncidents(world.disk, root)
  return Object.entries(paused).map(([job, { at, reason }]) => ({
    level: 'warning',
    check,
    path: '',
    text: `${job} is paused since ${at}: ${reason}; claw cron resume ${job}`,
  }))
}

/** Job files that cannot be used, and channels that are not there, are told by the check of the jobs. */
async function lintFindings({ world, root }: CheckInput): Promise<Finding[]> {
  try {
    const { findings } = await lintCron(world, root)
    return findings
      .filter(({ text }) => !text.startsWith('deliver: '))
      .map(({ level, file, line, text }) => {
        const place = line === null ? {} : { line }
        return { level: level === 'error' ? level : 'note', check, path: file, ...place, text }
      })
  } catch (error) {
    if (isClawError(error, 'config-invalid', 'not-found')) return []
    throw error
  }
}
