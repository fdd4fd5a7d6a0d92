import { dispatch } from '../../src/cli/dispatch.ts'
import type { SimulatedDay, SimulateReport, SimulateRequest } from '../../src/flows/simulate.ts'
import { type Dispatch, simulate } from '../../src/sim-ports.ts'
import { simWorld } from '../../src/sim/sim-world.ts'
import type { Disk } from '../../src/world/disk.ts'

const claw = `team: test
timezone: Asia/Shanghai
models: {providers: {}, chains: {main: [], routine: []}}
channels:
  alpha: {type: stdout}
  beta: {type: stdout}
`

const job = (schedule: string, to: string): string =>
  [
    '---',
    `schedule: "${schedule}"`,
    'retry: {attempts: 2, backoff: 2m}',
    'gather: [{tool: feeds.collect, with: {list: sources/none.yaml}}]',
    'produces: [{file: "knowledge/{date}.md", check: {minItems: 2, everyItemLinks: true, linksFromEvidence: true}}]',
    `deliver: {to: ${to}}`,
    '---',
    'Write the list.',
    '',
  ].join('\n')

/** One agent whose two jobs deliver to a blind and to a keyed channel. */
export const files: Record<string, string> = {
  'claw.yaml': claw,
  'agents/ann/SOUL.md': 'Be exact.\n',
  'agents/ann/jobs/blind.md': job('15 */4 * * *', 'alpha'),
  'agents/ann/jobs/keyed.md': job('30 2,8,20 * * *', 'beta'),
}

export interface YearRig extends Partial<SimulateRequest> {
  files?: Record<string, string>
  /** What a broken program does in place of the real one. */
  twin?: (real: Dispatch) => Dispatch
}

/** A small team in a simulated host; two days without faults unless told otherwise. */
export function simulated({ files: more = {}, twin, ...request }: YearRig = {}): Promise<SimulateReport> {
  const world = simWorld({ files: { ...files, ...more } })
  return simulate(
    { world, dispatch: twin ? twin(dispatch) : dispatch, version: '0.0.0' },
    {
      root: '/ws',
      from: '2026-03-02',
      days: 2,
      seed: 1,
      faults: 'none',
      hostZone: 'UTC',
      everyTick: false,
      untilFailure: false,
      onDay: (_day: SimulatedDay) => {},
      ...request,
    },
  )
}

/** Names of what did not hold. */
export function broken({ invariants }: SimulateReport): string[] {
  return Object.entries(invariants).flatMap(([name, count]) => (count > 0 ? [name] : []))
}

/** The same program on a disk of which some calls do something else. */
export function onDisk(change: (disk: Disk) => Partial<Disk>): (real: Dispatch) => Dispatch {
  return real => given => {
    const { disk } = given.world
    const changed = change(disk)
    const spoilt = new Proxy(disk, {
      get(target, name: keyof Disk) {
        if (changed[name]) return changed[name]
        const member: unknown = target[name]
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })
    return real({ ...given, world: { ...given.world, disk: spoilt } })
  }
}
