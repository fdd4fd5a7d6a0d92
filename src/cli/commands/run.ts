import { join, relative } from 'node:path'
import { ClawError, exitCodes } from '../../core/claw-error.ts'
import { exitOfState } from '../../core/run.ts'
import { runJob } from '../../flows/run-job.ts'
import type { RunReport } from '../../flows/run-job/settle.ts'
import { type Action, type CommandContext, type Options, textOption } from '../command.ts'
import { warnOfSilence } from '../warn-of-silence.ts'

export const run: Action = async (context, [agent, job], options) => {
  const { out } = context
  const request = await requestOf(context, { agent: agent!, job, options })
  const root = context.root()
  if (request.slot === undefined) await warnOfSilence(context)
  const setup = {
    world: context.world,
    root,
    ports: context.ports,
    note: (line: string) => out.note(line),
    warn: (line: string) => out.warn(line),
    request,
  }
  if (request.dryRun) {
    const { dryRun, dryRunText } = await import('../../flows/dry-run.ts')
    const plan = await dryRun(setup)
    out.result(plan, dryRunText(plan))
    return exitCodes.ok
  }
  const report = await runJob(setup)
  out.result(
    report,
    reportText(report, path => shownPath(context.world.host.cwd, root, path)),
  )
  if (report.state !== 'ok' && report.state !== 'silent' && report.state !== 'skipped')
    out.error(`${report.state}: ${report.reason}`)
  return exitCodes[exitOfState[report.state]]
}

async function requestOf(
  { world }: CommandContext,
  { agent, job, options }: { agent: string; job: string | undefined; options: Options },
) {
  const given = textOption(options, 'message')
  const model = textOption(options, 'model')
  const slot = textOption(options, 'slot')
  const message = given === '-' ? await world.terminal.readIn() : given
  if (given !== undefined && !message?.trim()) throw new ClawError('usage', 'the message is empty')
  return {
    agent,
    live: options['live'] === true,
    dryRun: options['dryRun'] === true,
    ...(job !== undefined && { job }),
    ...(message !== undefined && { message }),
    ...(model !== undefined && { model }),
    ...(slot !== undefined && { slot }),
  }
}

/** The text itself, then where it is and where it went. */
function reportText(report: RunReport, shown: (path: string) => string): string {
  const name = report.job ? `${report.agent}/${report.job}` : report.agent
  if (report.state === 'skipped') return `${name}: skipped, ${report.reason}`
  if (report.state === 'silent') return `${name}: nothing to report`
  if (report.state !== 'ok') return report.keptAside ? `the text was kept in ${shown(report.keptAside)}` : ''
  const stored = report.files.map(file => `stored in ${shown(file)}`)
  const sent = report.delivery.map(({ channel, state }) => `channel ${channel}: ${state}`)
  const foot = [...stored, ...sent]
  return [report.text.trimEnd(), ...(foot.length > 0 ? ['', ...foot] : [])].join('\n')
}

/** A path that opens from where the person stands. */
function shownPath(cwd: string, root: string, path: string): string {
  const full = join(root, path)
  const short = relative(cwd, full)
  return short.length < full.length ? short : full
}
