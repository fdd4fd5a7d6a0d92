import { tick as runTick, type TickReport } from '../../flows/tick.ts'
import type { Action } from '../command.ts'

export const tick: Action = async ({ world, root, ports, out }, _args, options) => {
  const dryRun = options['dryRun'] === true
  const report = await runTick({
    world,
    root: root(),
    ports,
    dryRun,
    note: line => out.note(line),
    warn: line => out.warn(line),
  })
  const lines = linesOf(report, dryRun)
  out.result(report, lines.length === 0 ? 'nothing is due' : shortened(lines).join('\n'))
}

/** After a long sleep of the host there is more to tell than anybody reads; all of it is on record. */
const mostLines = 20

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= mostLines) return lines
  const shown = lines.slice(0, mostLines - 1)
  return [...shown, `and ${lines.length - shown.length} more (claw cron history)`]
}

/** One line for each thing done, or to be done. */
function linesOf(report: TickReport, dryRun: boolean): string[] {
  const { due, missed, crashed, outbox, waiting, upkeep } = report
  const tidied = Object.entries(upkeep ?? {}).filter(([, count]) => count > 0)
  const verb = dryRun ? 'would start' : 'started'
  return [
    ...due.map(({ job, slot, why, exitCode }) => `${verb} ${job}, slot ${slot} (${why})${endOf(exitCode)}`),
    ...missed.map(({ job, slot, reason }) => `${job}, slot ${slot}: ${reason}`),
    ...crashed.map(({ run, job }) => `${job}: run ${run} died and left no record`),
    ...outbox.map(({ id, channel, state }) => `delivery ${id} to ${channel}: ${state}`),
    ...waiting.filter(({ isNew }) => isNew).map(({ job, slot, reason }) => `${job}, slot ${slot}: ${reason}`),
    ...(tidied.length > 0
      ? [
          `${dryRun ? 'would remove' : 'removed'} ${tidied.map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
        ]
      : []),
  ]
}

function endOf(exitCode: number | null | undefined): string {
  if (exitCode === undefined) return ''
  return exitCode === null ? ': killed, or not started' : `: exit ${exitCode}`
}
