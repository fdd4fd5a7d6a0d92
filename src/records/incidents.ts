import { isObject } from '../core/json-schema.ts'
import { type Incident, type IncidentBook, noIncidents } from '../core/incident.ts'
import { readJsonFile, updateJson } from '../store/json-file.ts'
import { withLock } from '../store/lock.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { incidentsFile, lockFile } from './paths.ts'

/** Empty when absent or damaged: a run is not held up by it, and `doctor` tells of the damage. */
export function peekIncidents(disk: Disk, root: string): IncidentBook {
  const file = readJsonFile(disk, incidentsFile(root))
  return file.state === 'ok' ? decodeIncidents(file.value) : noIncidents
}

/** Read, change, write under a lock; a damaged file is set aside and `corrupt` is thrown. */
export async function updateIncidents(
  world: World,
  root: string,
  change: (book: IncidentBook) => IncidentBook,
): Promise<void> {
  await withLock(world, lockFile(root, 'incidents'), held => {
    updateJson(world, root, held, incidentsFile(root), decodeIncidents, (whole, book = noIncidents) => {
      return { ...whole, ...change(book) }
    })
  })
}

function decodeIncidents(value: unknown): IncidentBook {
  if (!isObject(value)) return noIncidents
  const { open, streaks, paused } = value
  return {
    open: Array.isArray(open) ? open.filter(isIncident) : [],
    streaks: isObject(streaks) ? (streaks as IncidentBook['streaks']) : {},
    paused: isObject(paused) ? (paused as IncidentBook['paused']) : {},
  }
}

function isIncident(value: unknown): value is Incident {
  return isObject(value) && typeof value['id'] === 'string' && isObject(value['jobs'])
}
