import { join } from 'node:path'
import { ClawError } from './core/claw-error.ts'
import { nextSlots } from './core/cron.ts'
import { fromIso, type Millis } from './core/millis.ts'
import { Invariants, invariantNames, type WatchedJob } from './flows/invariants.ts'
import type { RunPorts } from './flows/ports.ts'
import type { SimulateReport, SimulateRequest } from './flows/simulate.ts'
import { scheduledJobs } from './flows/cron-install/load-plan.ts'
import { idleUntil } from './flows/tick/due-file.ts'
import { nodePorts } from './node-ports.ts'
import { loadConfig } from './records/config.ts'
import { MemDisk } from './sim/mem-disk.ts'
import { simulateYear, type YearSetup } from './sim/year.ts'
import { type CronLine, cronLines } from './sim/year/crontab.ts'
import { Machine, type SimProcess } from './sim/year/machine.ts'
import type { YearReport } from './sim/year/report.ts'
import { copyWorkspace, simPackageDir, simRoot } from './sim-ports/copy-workspace.ts'
import { OtherSide } from './sim-ports/other-side.ts'
import { scriptedCollectors } from './sim-ports/scripted-collectors.ts'
import { scriptedTeam } from './sim-ports/scripted-team.ts'
import type { World } from './world/world.ts'

/** The whole program: one command line in one world. */
export type Dispatch = (given: {
  world: World
  ports: RunPorts
  version: string
  argv: readonly string[]
}) => Promise<number>

interface Real {
  world: World
  dispatch: Dispatch
  version: string
}

/** Copies the workspace into memory, takes the lines that would be installed, and lets the days pass. */
export async function simulate(real: Real, request: SimulateRequest): Promise<SimulateReport> {
  const workspace = request.root ?? join(real.world.host.packageDir, 'workspace')
  const from = dayStart(request)
  const scene = sceneOf(real, request, { workspace, from })
  const { machine, otherSide } = scene
  const { channels, timezone } = await loadConfig(machine.world(), simRoot)
  otherSide.open(Object.keys(channels))
  const { jobs, broken } = await watchedJobs(machine.world(), timezone)
  const lines = await installedLines(machine)
  const invariants = new Invariants({
    disk: machine.disk,
    root: simRoot,
    jobs,
    from,
    kindOf: name => otherSide.kindOf(name),
  })
  const year = await simulateYear({
    ...request,
    machine,
    lines,
    from,
    level: request.faults,
    ...eyesOn(scene, invariants),
    replay: day => replayOf(request, day),
    elapsedMs: () => real.world.clock.elapsed(),
  })
  return reportOf(year, invariants, { workspace, from: request.from, jobs: jobs.length, broken })
}

interface Scene {
  machine: Machine
  otherSide: OtherSide
}

/** A host with a copy of the workspace, and what is at the other ends of its wires. */
function sceneOf(
  { world, dispatch, version }: Real,
  { hostZone, seed }: SimulateRequest,
  { workspace, from }: { workspace: string; from: Millis },
): Scene {
  const otherSide = new OtherSide()
  const machine: Machine = new Machine({
    disk: MemDisk.fromTree(copyWorkspace(world.disk, workspace), { now: () => from }),
    start: from,
    seed,
    run: process =>
      dispatch({
        version,
        argv: process.argv,
        world: process.world,
        ports: portsOf({ machine, otherSide }, process, seed),
      }),
    host: { packageDir: simPackageDir, cwd: simRoot, timeZone: hostZone },
  })
  return { machine, otherSide }
}

function portsOf({ machine, otherSide }: Scene, process: SimProcess, seed: number): RunPorts {
  return {
    ask: scriptedTeam(process, seed),
    collectors: async () =>
      scriptedCollectors(await nodePorts(process.world, { isClockGiven: false }).collectors()),
    sharedLocks: () => Promise.reject(new Error('there is no shared volume in a simulation')),
    channel: async ({ name }) => otherSide.channelFor(process, name),
    launch: async argv => {
      const { exitCode, err } = await machine.launch(process, argv)
      return { exitCode, lastLine: err.trimEnd().split('\n').at(-1) ?? '' }
    },
  }
}

/** What the simulation is told of the workspace. */
function eyesOn(
  { machine, otherSide }: Scene,
  invariants: Invariants,
): Pick<YearSetup, 'idleUntil' | 'checkDay'> {
  const { disk, clock } = machine.world()
  return {
    idleUntil: () => {
      disk.calls = []
      return idleUntil({ disk, clock }, simRoot)
    },
    checkDay: day => {
      machine.disk.calls = []
      const { arrivals } = otherSide
      otherSide.arrivals = []
      return invariants.checkDay({ ...day, arrived: arrivals, held: machine.locks.held() })
    },
  }
}

function reportOf(
  { byInvariant, ...year }: YearReport,
  invariants: Invariants,
  told: Pick<SimulateReport, 'workspace' | 'from' | 'jobs' | 'broken'>,
): SimulateReport {
  return {
    ...year,
    ...told,
    runs: invariants.runs,
    slots: invariants.slots.figures,
    deliveries: invariants.deliveries.figures,
    invariants: { ...Object.fromEntries(invariantNames.map(name => [name, 0])), ...byInvariant },
    disk: diskFigures(invariants),
  }
}

/** Midnight of the first day, by the clock of the host. */
function dayStart({ from, hostZone }: SimulateRequest): Millis {
  const noonish = fromIso(`${from}T00:00:00Z`)
  if (noonish === undefined)
    throw new ClawError('usage', `--from must be a date such as 2026-03-02, not ${from}`)
  const midnights = { kind: 'cron', expression: '0 0 * * *' } as const
  const before = noonish - 15 * 3_600_000
  return nextSlots(midnights, hostZone, before, 3).find(at => localDate(at, hostZone) === from) ?? noonish
}

function localDate(at: Millis, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at)
}

async function watchedJobs(
  world: World,
  timezone: string,
): Promise<{ jobs: WatchedJob[]; broken: string[] }> {
  const { jobs, broken } = await scheduledJobs(world, simRoot)
  return {
    jobs: jobs.map(({ agent, name, schedule, catchup, retry, tz }) => {
      return { agent, name, schedule, catchup, retry, timeZone: tz ?? timezone }
    }),
    broken: broken.map(({ why }) => why),
  }
}

/** As `claw cron render` prints them, so that the schedule under test is the one that is installed. */
async function installedLines(machine: Machine): Promise<CronLine[]> {
  const process = machine.start(['-C', simRoot, 'cron', 'render'])
  await machine.advance(machine.timeline.elapsedMs)
  const { outText, errText } = process.world.terminal
  if (process.end?.kind === 'exited' && process.end.exitCode === 0) return cronLines(outText)
  throw new ClawError('config-invalid', `the crontab of this workspace cannot be made: ${errText.trim()}`)
}

function replayOf({ root, from, seed, faults, hostZone, everyTick }: SimulateRequest, day: number): string {
  const where = root === undefined ? '' : ` -C ${root}`
  const all = everyTick ? ' --every-tick' : ''
  return `claw${where} simulate --from ${from} --days ${day} --seed ${seed} --faults ${faults} --host-zone ${hostZone}${all} --until-failure`
}

function diskFigures({ files }: Invariants): SimulateReport['disk'] {
  const { folder, count } = files.fullest
  return {
    files: files.files,
    bytes: files.bytes,
    mostInFolder: count,
    fullestFolder: folder.slice(simRoot.length + 1),
  }
}
