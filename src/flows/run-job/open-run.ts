import { ClawError } from '../../core/claw-error.ts'
import type { Config } from '../../core/config.ts'
import { heartbeatName, type Job } from '../../core/job.ts'
import { fromIso, type Millis, toIso } from '../../core/millis.ts'
import { runId } from '../../core/run.ts'
import { isoWeek, type LocalTime } from '../../core/zone.ts'
import { assertAgent } from '../../records/agents.ts'
import { loadConfig } from '../../records/config.ts'
import { type Env, loadEnv } from '../../records/env.ts'
import { jobNames, loadJob } from '../../records/jobs.ts'
import type { World } from '../../world/world.ts'
import type { HeartbeatJob } from '../heartbeat-job.ts'
import { maskOf } from '../mask-of.ts'
import type { RunPorts } from '../ports.ts'

export interface RunRequest {
  agent: string
  job?: string
  message?: string
  /** `provider/model`, strict: no fallback. */
  model?: string
  /** ISO instant; `auto` is the latest one; `due` is that one too, within the policy of the job. */
  slot?: string
  live: boolean
  dryRun: boolean
}

/** What a run knows from its start; its steps hand results on, never change this. */
export interface RunContext {
  world: World
  root: string
  ports: RunPorts
  /** One line of progress. */
  note: (line: string) => void
  /** One line that a person must see. */
  warn: (line: string) => void
  request: RunRequest
  config: Config
  env: Env
  agent: string
  job: Job | undefined
  /** Where the job is the agent's heartbeat, and not a job file of that name. */
  heartbeat: HeartbeatJob | undefined
  run: string
  startedAt: Millis
  /** Of the monotonic clock, for durations. */
  startedElapsed: number
  timeZone: string
  /** Now, in that zone. */
  local: LocalTime
  /** The day that the run is for: that of its slot, else today. Paths and titles are named for it. */
  day: LocalTime
  /** The due moment this run is for; undefined for a run by hand. */
  slot: Millis | undefined
  /** Takes secrets out of what is written and printed. */
  mask: (text: string) => string
}

export type RunSetup = Pick<RunContext, 'world' | 'root' | 'ports' | 'note' | 'warn' | 'request'>

/** Decodes configuration and job and settles which slot is meant; nothing is written but the decode cache. */
export async function openRun(setup: RunSetup): Promise<RunContext> {
  const { world, root, request } = setup
  const saveCache = !request.dryRun
  const config = await loadConfig(world, root, { saveCache })
  assertAgent(world.disk, root, request.agent)
  const startedAt = world.clock.now()
  const heartbeat = await heartbeatOf(setup, config, startedAt)
  const job =
    request.job === undefined
      ? undefined
      : (heartbeat?.job ??
        (await loadJob(world, root, { agent: request.agent, job: request.job, saveCache })))
  if (!job && !request.message?.trim()) throw noPrompt(request.agent)
  const env = loadEnv(world, root)
  const timeZone = job?.tz ?? config.timezone
  const slot = await slotOf(request, job, timeZone, startedAt)
  return {
    ...setup,
    config,
    env,
    agent: request.agent,
    job,
    heartbeat,
    run: runId(toIso(startedAt), world.random.hex(6)),
    startedAt,
    startedElapsed: world.clock.elapsed(),
    timeZone,
    local: world.clock.local(startedAt, timeZone),
    day: world.clock.local(slot ?? startedAt, timeZone),
    slot,
    mask: maskOf(config, env),
  }
}

/** Undefined for any other job, and where a job file of that name stands in its place. */
async function heartbeatOf(
  { world, root, request }: RunSetup,
  config: Config,
  now: Millis,
): Promise<HeartbeatJob | undefined> {
  const { agent, job } = request
  if (job !== heartbeatName || jobNames(world.disk, root, agent).includes(heartbeatName)) return undefined
  const { heartbeatJob } = await import('../heartbeat-job.ts')
  return heartbeatJob(world, root, { agent, config, now })
}

function noPrompt(agent: string): ClawError {
  return new ClawError('usage', `nothing to do for ${agent}: name a job, or say something with -m`, {
    hint: `claw run ${agent} <job>, or claw run ${agent} -m "..."`,
  })
}

async function slotOf(
  request: RunRequest,
  job: Job | undefined,
  timeZone: string,
  now: Millis,
): Promise<Millis | undefined> {
  if (request.slot === undefined) return undefined
  if (!job) throw new ClawError('usage', '--slot needs a job')
  const { latestSlot } = await import('../../core/cron.ts')
  if (request.slot !== 'auto' && request.slot !== 'due') return givenSlot(request.slot, now)
  const slot = latestSlot(job.schedule, timeZone, now)
  if (slot !== undefined) return slot
  throw new ClawError('usage', `${job.file} has no schedule that was ever due, so there is no slot`, {
    hint: 'leave --slot out to run it by hand',
  })
}

function givenSlot(text: string, now: Millis): Millis {
  const slot = fromIso(text)
  if (slot === undefined)
    throw new ClawError('usage', `--slot must be auto, due or an ISO instant, not ${text}`)
  if (slot <= now) return slot
  throw new ClawError('usage', `--slot ${text} is in the future`, { hint: 'leave --slot out to run it now' })
}

/** What `{date}` and the like stand for in the paths of a job. */
export function pathNames({
  agent,
  job,
  day: { date, time },
}: Pick<RunContext, 'agent' | 'job' | 'day'>): Record<string, string> {
  const hh = time.slice(0, 2)
  return { date, hh, month: date.slice(0, 7), week: isoWeek(date), agent, job: job?.name ?? '' }
}
