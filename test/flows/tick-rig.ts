import { dispatch } from '../../src/cli/dispatch.ts'
import { ClawError } from '../../src/core/claw-error.ts'
import type { RunPorts } from '../../src/flows/ports.ts'
import { ProcessDeath } from '../../src/sim/process-death.ts'
import type { SimWorld } from '../../src/sim/sim-world.ts'
import { type CommandEnd, command, jobText, type Rig, rig, type RigOptions } from './command-rig.ts'
import { runsOf } from './sound.ts'

/**
 * Runs what a tick starts as another process of the same world; one that dies has no
 * exit code. `onLaunch` sees each process before it begins.
 */
export function launching(
  world: SimWorld,
  ports: RunPorts,
  onLaunch: (started: SimWorld) => void = () => {},
): RunPorts {
  let parent = world
  const all: RunPorts = {
    ...ports,
    launch: async argv => {
      parent = parent.another()
      const own = parent
      onLaunch(own)
      try {
        const exitCode = await dispatch({ world: own, ports: all, version: '0.0.0', argv })
        return { exitCode, lastLine: own.terminal.errText.trimEnd().split('\n').at(-1) ?? '' }
      } catch (error) {
        if (!(error instanceof ProcessDeath)) throw error
        own.reboot('process')
        return { exitCode: null, lastLine: '' }
      }
    },
  }
  return all
}

/** As `rig`, with processes that can be started. */
export function tickRig(options: RigOptions = {}): Rig {
  const made = rig(options)
  return { ...made, ports: launching(made.world, made.ports) }
}

/** Files of a team with one job, `ann/list`, that is due each hour. */
export const hourlyJob = {
  'agents/ann/jobs/list.md': jobText().replace('30 8 * * *', '0 * * * *'),
  'agents/ann/jobs/blind.md': jobText([], 'blind').replace('schedule: "30 8 * * *"\n', ''),
}

/** A team with one scheduled job, `ann/list`, which has these lines more. */
export function soleJob(
  lines: readonly string[],
  { schedule = '30 8 * * *', ...options }: RigOptions & { schedule?: string } = {},
): Rig {
  return tickRig({
    ...options,
    files: {
      'agents/ann/jobs/list.md': jobText(lines).replace('30 8 * * *', schedule),
      'agents/ann/jobs/blind.md': jobText([], 'blind').replace('schedule: "30 8 * * *"\n', ''),
      ...options.files,
    },
  })
}

export const tick = (of: Rig, ...flags: string[]): Promise<CommandEnd> => command(of, 'tick', ...flags)

/** `<job> <state>` of all runs, oldest first. */
export function statesOf(of: Rig): string[] {
  return runsOf(of).map(({ job, state }) => `${job} ${state}`)
}

/** What a channel says whose secret is missing. */
export const clawError = (message: string): ClawError => new ClawError('config-invalid', message)
