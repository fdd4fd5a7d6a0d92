import type { Config } from '../core/config.ts'
import { dueTasks, heartbeatPrompt } from '../core/heartbeat.ts'
import { decodeJob, heartbeatName, type Job } from '../core/job.ts'
import type { Millis } from '../core/millis.ts'
import { keepHeartbeatRuns, loadHeartbeat, peekHeartbeatRuns } from '../records/heartbeat.ts'
import type { World } from '../world/world.ts'

export interface HeartbeatJob {
  job: Job
  /** Why nobody need be woken; undefined when there is something to look at. */
  nothing: string | undefined
  /** To be called at a good end: the tasks that were due have been done. */
  noteDone: () => void
}

/**
 * `claw run <agent> heartbeat`: the job is made of HEARTBEAT.md and of `heartbeat:` in
 * claw.yaml. Undefined when the agent has no such file.
 */
export async function heartbeatJob(
  { disk, random }: Pick<World, 'disk' | 'random'>,
  root: string,
  { agent, config, now }: { agent: string; config: Config; now: Millis },
): Promise<HeartbeatJob | undefined> {
  const heartbeat = await loadHeartbeat(disk, root, agent)
  if (!heartbeat) return undefined
  const { file, body, hasChecklist, tasks } = heartbeat
  const lastRuns = peekHeartbeatRuns(disk, root, agent)
  const due = dueTasks(tasks, lastRuns, now)
  const job = { ...heartbeatShell(config, agent), file, prompt: heartbeatPrompt(body, due) }
  return {
    job,
    nothing: nothingToDo({ file, hasChecklist, tasks: tasks.length, due: due.length }),
    noteDone: () => {
      if (tasks.length === 0) return
      const names = new Set(tasks.map(({ name }) => name))
      const kept = Object.entries(lastRuns).filter(([name]) => names.has(name))
      const done = due.map(({ name }) => [name, now] as const)
      keepHeartbeatRuns({ disk, random }, root, agent, Object.fromEntries([...kept, ...done]))
    },
  }
}

/** All of it but what HEARTBEAT.md says: enough to know when it is due. */
export function heartbeatShell({ heartbeat, timezone }: Config, agent: string): Job {
  const isScheduled = heartbeat?.every !== undefined && isBeating(heartbeat.agents, agent)
  const job = decodeJob(
    { agent, name: heartbeatName, file: `agents/${agent}/HEARTBEAT.md` },
    {
      tier: 'heartbeat',
      tz: timezone,
      silent: true,
      timeout: millis(heartbeat?.timeout ?? 120_000),
      tools: ['memory', 'shared'],
      catchup: { policy: 'latest', within: millis(heartbeat?.every ?? 0) },
      ...(isScheduled && { every: millis(heartbeat.every!) }),
      ...(heartbeat?.to !== undefined && { deliver: { to: heartbeat.to, mode: 'announce' } }),
    },
    'Look at your checklist.',
  )
  return heartbeat?.active ? { ...job, active: heartbeat.active } : job
}

/** As a job file would say it. */
function millis(ms: number): string {
  return `${ms}ms`
}

/** An empty list means every agent. */
export function isBeating(agents: readonly string[], agent: string): boolean {
  return agents.length === 0 || agents.includes(agent)
}

function nothingToDo(found: {
  file: string
  hasChecklist: boolean
  tasks: number
  due: number
}): string | undefined {
  const { file, hasChecklist, tasks, due } = found
  if (due > 0) return undefined
  if (tasks > 0) return `none of the ${tasks} tasks in ${file} is due`
  return hasChecklist ? undefined : `${file} lists nothing to look at`
}
