import { ClawError, exitCodes } from '../../core/claw-error.ts'
import { isTimeZone } from '../../core/zone.ts'
import type { SimulateRequest } from '../../flows/simulate.ts'
import { type Action, type CommandContext, type Options, textOption } from '../command.ts'
import { progressOf } from '../simulate-progress.ts'
import { summaryText } from '../simulate-text.ts'

export const simulate: Action = async (context, _args, options) => {
  const { out } = context
  if (!context.simulate) throw new ClawError('usage', 'there is no simulation inside a simulation')
  const request = requestOf(context, options)
  const progress = progressOf(context, request)
  const report = await context.simulate({ ...request, onDay: progress.day })
  progress.end()
  for (const why of report.broken) out.warn(`${why}; it was left out`)
  out.result(report, summaryText(out, report))
  for (const { invariant, what, day, date, after, replay } of report.failures) {
    out.error(`day ${day} (${date}), ${invariant}: ${what}`, `after ${after}; again with: ${replay}`)
  }
  return report.failureCount === 0 ? exitCodes.ok : exitCodes.failed
}

const levels = ['none', 'light', 'heavy'] as const

function requestOf(context: CommandContext, options: Options): Omit<SimulateRequest, 'onDay'> {
  const { world } = context
  const faults = levels.find(level => level === (textOption(options, 'faults') ?? 'none'))
  if (!faults) throw new ClawError('usage', `--faults must be ${levels.join(', ')}`)
  const hostZone = textOption(options, 'hostZone') ?? world.host.timeZone
  if (!isTimeZone(hostZone))
    throw new ClawError('usage', `--host-zone must be an IANA time zone, not ${hostZone}`)
  return {
    root: workspaceOf(context),
    from: textOption(options, 'from') ?? world.clock.local(world.clock.now(), hostZone).date,
    days: count(options, 'days', { fallback: 7, most: 3660 }),
    seed: count(options, 'seed', { fallback: 1, most: 2 ** 31 - 1 }),
    faults,
    hostZone,
    everyTick: options['everyTick'] === true,
    untilFailure: options['untilFailure'] === true,
  }
}

/** Without one, the template is simulated; one that was named must be there. */
function workspaceOf({ root, globals, world }: CommandContext): string | undefined {
  if (globals.root !== undefined || world.host.env['CLAW_WORKSPACE']) return root()
  try {
    return root()
  } catch (error) {
    if (error instanceof ClawError && error.code === 'not-found') return undefined
    throw error
  }
}

function count(
  options: Options,
  name: string,
  { fallback, most }: { fallback: number; most: number },
): number {
  const given = textOption(options, name)
  if (given === undefined) return fallback
  const value = Number(given)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new ClawError('usage', `--${name} must be a whole number from 1 to ${most}, not ${given}`)
}
