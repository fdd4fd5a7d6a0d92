import { openChannel } from '../../src/adapters/channels/open-channel.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import type { RunPorts } from '../../src/flows/ports.ts'
import type { RunReport } from '../../src/flows/run-job/settle.ts'
import { ainewsCollectors } from '../../src/kits/ainews/collectors.ts'
import { teamCollectors } from '../../src/kits/team/collectors.ts'
import type { SimWorld } from '../../src/sim/sim-world.ts'

/** The real collectors and channels; no model is configured, so none may be asked. */
export function offlinePorts(world: SimWorld): RunPorts {
  return {
    ask: () => Promise.reject(new Error('no model is configured, so none is asked')),
    collectors: async () => [...ainewsCollectors, ...teamCollectors],
    sharedLocks: () => Promise.reject(new Error('no shared volume here')),
    channel: async request => openChannel(world, request),
    launch: () => Promise.reject(new Error('nothing is launched here')),
  }
}

/** One job at its time, as its crontab line would start it. */
export async function runAt(world: SimWorld, at: string, job: string): Promise<RunReport> {
  world.clock.advance(Date.parse(at) - world.clock.now())
  world.terminal.clear()
  const argv = ['run', ...job.split('/'), '--slot', 'auto', '--json', '-C', '/ws']
  await dispatch({ world, ports: offlinePorts(world), version: '0.0.0', argv })
  try {
    return JSON.parse(world.terminal.outText) as RunReport
  } catch {
    throw new Error(`${job}: ${world.terminal.outText}\n${world.terminal.errText}`)
  }
}
