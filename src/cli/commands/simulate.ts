import { ClawError, exitCodes } from '../../core/claw-error.ts'
import { isTimeZone } from '../../core/zone.ts'
import type { SimulatedDay, SimulateReport, SimulateRequest } from '../../flows/simulate.ts'
import type { Terminal } from '../../world/terminal.ts'
import { type Action, type CommandContext, type Options, textOption } from '../command.ts'
import type { Out } from '../out.ts'

export const simulate: Action = async (context, _args, options) => {
  const { out } = context
  if (!context.simulate) throw new ClawError('usage', 'there is no simulation inside a simulation')
  const request = requestOf(context, options)
  const progress = progressOf(context, request)
  const report = await context.simulate({ ...request, onDay: progress.day })
  progress.end()
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

/** A bar on a terminal, else a line for each month. */
function progressOf(
  { world: { terminal }, out, globals }: CommandContext,
  { days }: Pick<SimulateRequest, 'days'>,
): { day: (day: SimulatedDay) => void; end: () => void } {
  if (globals.quiet) return { day: () => {}, end: () => {} }
  let problems = 0
  let month = ''
  return {
    day: ({ day, date, problems: found }) => {
      problems += found
      if (terminal.errIsTty) terminal.err(`\r${barText(terminal, { day, days, date, problems })}`)
      else if (date.slice(0, 7) !== month)
        out.note(`${date}: day ${day} of ${days}, ${problems} broken invariants`)
      month = date.slice(0, 7)
    },
    end: () => {
      if (terminal.errIsTty) terminal.err('\r\u001B[K')
    },
  }
}

interface Progress {
  day: number
  days: number
  date: string
  problems: number
}

function barText({ columns }: Terminal, { day, days, date, problems }: Progress): string {
  const told = ` ${date}  ${day}/${days}${problems > 0 ? `  ${problems} broken` : ''}`
  const room = Math.max(0, Math.min(40, columns - told.length - 3))
  const full = Math.round((room * day) / days)
  return `[${'#'.repeat(full)}${'.'.repeat(room - full)}]${told}`
}

function summaryText(out: Out, report: SimulateReport): string {
  const { days, seed, faults, hostZone, jobs, slots, deliveries, ticks, msPerDay, disk } = report
  const rows: [string, string][] = [
    ['days', `${days} from ${report.from}`],
    ['workspace', `${report.workspace}, ${jobs} jobs, the host's clock in ${hostZone}`],
    ['seed, faults', `${seed}, ${faults}`],
    ['fired', `${report.fires} lines of jobs, ${ticks.run} ticks (${ticks.passedOver} passed over)`],
    ['runs', counts(report.runs)],
    ['slots due', `${slots.due}: ${counts({ ...slots, due: 0 })}`],
    ['deliveries', counts(deliveries)],
    ['faults injected', counts(report.injected)],
    ['processes killed', String(report.killed)],
    [
      'files',
      `${disk.files}, ${megabytes(disk.bytes)}, most in one folder ${disk.mostInFolder} (${disk.fullestFolder})`,
    ],
    [
      'a day takes',
      `${ms(msPerDay.first)} in the first month, ${ms(msPerDay.last)} in the last (x ${msPerDay.ratio.toFixed(2)})`,
    ],
    ['in all', `${(report.tookMs / 1000).toFixed(1)} s`],
  ]
  const held = Object.entries(report.invariants).map(([name, count]): [string, string] => [
    name,
    count === 0 ? 'held' : out.style('red', `broken ${count} times`),
  ])
  return `${out.table(rows)}\n\n${out.table(held, ['invariant', 'each day'])}`
}

function counts(by: Readonly<Record<string, number>>): string {
  const named = Object.entries(by).filter(([, count]) => count > 0)
  return named.length === 0 ? 'none' : named.map(([name, count]) => `${count} ${name}`).join(', ')
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
