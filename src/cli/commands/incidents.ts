import { isBrokenMark } from '../../core/incident/broken-file.ts'
import type { Incident } from '../../core/incident.ts'
import { acknowledgeIncident, listIncidents } from '../../flows/schedule/incidents.ts'
import type { Action } from '../command.ts'
import type { Out } from '../out.ts'

export const incidentsList: Action = async ({ world, root, out }, _args, options) => {
  const open = listIncidents(world, root(), { all: options['all'] === true })
  out.result(open, open.length === 0 ? 'nothing is going wrong that was not seen' : table(out, open))
}

export const incidentsAck: Action = async ({ world, root, out }, [id]) => {
  const incident = await acknowledgeIncident(world, root(), id!)
  out.result(
    incident,
    `${incident.id}: acknowledged; it ends when ${Object.keys(incident.jobs).join(', ')} run well`,
  )
}

function table(out: Out, open: readonly Incident[]): string {
  const rows = open.map(({ id, signature, since, last, count, jobs, acknowledged, reason }) => [
    id,
    isBrokenMark(signature) ? 'its file' : `${count} ${count === 1 ? 'run' : 'runs'}`,
    since.slice(0, 16),
    last.slice(0, 16),
    acknowledged === null ? 'open' : 'seen',
    Object.keys(jobs).join(', '),
    reason,
  ])
  return out.table(rows, ['id', 'bad', 'since', 'last', 'state', 'jobs', 'reason'])
}
