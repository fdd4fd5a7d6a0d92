import { join } from 'node:path'
import { stateDir } from '../../records/paths.ts'
import type { DayFacts, Problem, Watched } from './day-facts.ts'

/** With no process alive nothing is held, and after a tick no file names a holder that died. */
export function leaseProblems({ disk, root }: Pick<Watched, 'disk' | 'root'>, { held }: DayFacts): Problem[] {
  const owners = (disk.list(join(stateDir(root), 'leases')) ?? []).filter(({ name }) =>
    name.endsWith('.owner'),
  )
  return [
    ...held.map(path => `${path} is locked, and no process runs`),
    ...owners.map(({ name }) => `${name} names a run that is over`),
  ].map(what => ({ invariant: 'no lease outlives its run' as const, what }))
}
