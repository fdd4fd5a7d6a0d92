import type { Config } from '../core/config.ts'
import { leaseFile } from '../records/paths.ts'
import { type Lease, type LeaseBusy, type LeaseOptions, takeLease } from '../store/lease.ts'
import type { World } from '../world/world.ts'
import type { RunPorts } from './ports.ts'

export interface LeaseSetup {
  world: World
  root: string
  ports: Pick<RunPorts, 'sharedLocks'>
  config: Pick<Config, 'volume'>
}

/** One try for a lease of `.claw/leases`, of the kind that the workspace's volume needs. */
export async function takeNamedLease(
  { world, root, ports, config: { volume } }: LeaseSetup,
  name: string,
  owner: LeaseOptions['owner'],
): Promise<Lease | LeaseBusy> {
  const sharedLocks = volume === 'shared' ? await ports.sharedLocks() : undefined
  return takeLease(world, leaseFile(root, name), { owner, volume, ...(sharedLocks && { sharedLocks }) })
}
