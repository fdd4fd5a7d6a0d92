import { isWithin, windowText } from '../../../core/day-window.ts'
import { jobKey } from '../../../core/job.ts'
import { peekIncidents } from '../../../records/incidents.ts'
import { spentOn } from '../../../records/spend.ts'
import { resolveChain } from '../../resolve-models.ts'
import { checkNeeds } from '../check-needs.ts'
import type { RunContext } from '../open-run.ts'
import { type Refusal, skipped } from './refusal.ts'

/** What a person switched off, or claw itself after too many bad ends. A run by hand is not held up by that. */
export function switchRefusal(run: RunContext): Refusal | undefined {
  const { job, slot } = run
  if (!job || slot === undefined) return undefined
  if (!job.enabled) return skipped(`${job.file} says enabled: false; a run by hand is not held up by that`)
  const pause = peekIncidents(run.world.disk, run.root).paused[jobKey(job)]
  if (!pause) return undefined
  return skipped(`paused since ${pause.at}: ${pause.reason}; claw cron resume ${jobKey(job)}`, {
    settlesSlot: true,
  })
}

/** The hours and the market of the job. A person who runs it by hand is told, and not held up. */
export async function dayRefusal(run: RunContext): Promise<Refusal | undefined> {
  const why = await dayReason(run)
  if (why === undefined) return undefined
  if (run.slot !== undefined) return skipped(why)
  run.note(`${why}; it runs all the same, since it was called by hand`)
  return undefined
}

/** Why no scheduled run would start now; all reasons that can be known without waiting or asking. */
export async function heldUpReasons(run: RunContext): Promise<string[]> {
  const scheduled = { ...run, slot: run.slot ?? run.startedAt }
  const refusals = [
    switchRefusal(scheduled),
    checkNeeds(run).refusal,
    heartbeatRefusal(run),
    modelRefusal(run),
    spendRefusal(run),
  ]
  const reasons = [await dayReason(run), ...refusals.map(refusal => refusal?.reason)]
  return reasons.filter(reason => reason !== undefined)
}

async function dayReason(run: RunContext): Promise<string | undefined> {
  return outsideHours(run) ?? (await marketClosed(run))
}

function outsideHours({ job, local }: RunContext): string | undefined {
  if (!job?.active || isWithin(job.active, local.time)) return undefined
  return `outside its active hours ${windowText(job.active)} (it is ${local.time})`
}

async function marketClosed({ job, slot, startedAt }: RunContext): Promise<string | undefined> {
  if (!job?.market) return undefined
  const { marketState } = await import('../../../core/exchange-calendar.ts')
  const { exchange, during } = job.market
  const { isTradingDay, isInSession, reason } = marketState(exchange, slot ?? startedAt)
  const isOpen = during === 'session' ? isInSession : isTradingDay
  return isOpen ? undefined : `${exchange} is closed: ${reason}`
}

/** A heartbeat with nothing to look at asks no model, whoever called it. */
export function heartbeatRefusal({ heartbeat }: RunContext): Refusal | undefined {
  return heartbeat?.nothing === undefined ? undefined : skipped(heartbeat.nothing)
}

/** A job that gathers nothing, or says so, needs a model; where none is configured it does not pretend. */
export function modelRefusal({ config, env, job, request }: RunContext): Refusal | undefined {
  if (!job || (job.gather.length > 0 && job.model === 'optional')) return undefined
  const { links, unusable } = resolveChain(config, env, { tier: job.tier, override: request.model })
  if (unusable.length > 0 || links.some(link => link.api !== 'offline')) return undefined
  const why = job.model === 'required' ? 'needs one' : 'gathers nothing that could be quoted'
  return skipped(`no model is configured for tier ${job.tier}, and this job ${why}`)
}

export function spendRefusal({ world, root, config, local }: RunContext): Refusal | undefined {
  const { day } = config.limits.spend
  if (day === undefined) return undefined
  const spent = spentOn(world.disk, root, local.date)
  return spent >= day
    ? skipped(`spend cap: ${spent.toFixed(2)} of ${day.toFixed(2)} USD used on ${local.date}`)
    : undefined
}
