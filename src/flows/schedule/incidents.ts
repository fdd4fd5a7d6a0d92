import { ClawError } from '../../core/claw-error.ts'
import type { Incident } from '../../core/incident.ts'
import { nearestHint } from '../../core/nearest.ts'
import { toIso } from '../../core/millis.ts'
import { peekIncidents, updateIncidents } from '../../records/incidents.ts'
import type { World } from '../../world/world.ts'

/** Open causes, newest first; those that a person has seen only with `all`. Reads only. */
export function listIncidents(
  { disk }: Pick<World, 'disk'>,
  root: string,
  { all }: { all: boolean },
): Incident[] {
  const { open } = peekIncidents(disk, root)
  return open
    .filter(({ acknowledged }) => all || acknowledged === null)
    .toSorted((a, b) => Number(a.last < b.last) - Number(a.last > b.last))
}

/** A person has seen it: it stays open until its jobs run well, and is no news any more. Throws `not-found`. */
export async function acknowledgeIncident(world: World, root: string, id: string): Promise<Incident> {
  let found: Incident | undefined
  let ids: string[] = []
  await updateIncidents(world, root, book => {
    ids = book.open.map(incident => incident.id)
    const open = book.open.map(incident => {
      if (incident.id !== id) return incident
      found = { ...incident, acknowledged: incident.acknowledged ?? toIso(world.clock.now()) }
      return found
    })
    return found ? { ...book, open } : book
  })
  if (found) return found
  throw new ClawError('not-found', `no open incident ${id}`, { hint: nearestHint(id, ids, 'open incidents') })
}
