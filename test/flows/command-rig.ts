import { type ScriptedChannel, scriptedChannel } from '../../src/adapters/channels/scripted.ts'
import type { Channel } from '../../src/adapters/channels/channel.ts'
import { type ScriptedReply, scriptedModel } from '../../src/adapters/models/scripted.ts'
import type { Collector } from '../../src/agent/collector.ts'
import type { AskModel } from '../../src/agent/model.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { commands } from '../../src/cli/table.ts'
import type { RunPorts } from '../../src/flows/ports.ts'
import { MemDisk } from '../../src/sim/mem-disk.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'

export const root = '/ws'
/** 08:31 in Shanghai: the slot of 08:30 is due. */
export const morning = '2026-11-30T00:31:00Z'

const claw = `team: test
timezone: Asia/Shanghai
models:
  providers:
    first: {api: scripted, baseUrl: "scripted:"}
    second: {api: scripted, baseUrl: "scripted:"}
  chains:
    main: {models: [first/one], strict: true}
    routine: {models: [first/one, second/two], strict: true}
  catalog:
    first/one: {window: 32000, maxOutput: 2000, price: {in: 1, out: 1}}
    second/two: {window: 32000, maxOutput: 2000, price: {in: 1, out: 1}}
limits: {spend: {day: 5}}
channels:
  keyed: {type: stdout}
  blind: {type: stdout}
`

/** A job whose contract is two items with links from the evidence. */
export function jobText(frontmatter: readonly string[] = [], to = 'keyed'): string {
  return [
    '---',
    'schedule: "30 8 * * *"',
    'timeout: 60s',
    'gather: [{tool: list.collect}]',
    ...frontmatter,
    // A sweep repeats every run that died, also one that had asked a model.
    ...(frontmatter.some(line => line.startsWith('retry:')) ? [] : ['retry: {attempts: 3, on: [crashed]}']),
    ...(frontmatter.some(line => line.startsWith('produces:'))
      ? []
      : [
          'produces: [{file: "knowledge/{date}.md", check: {minItems: 2, everyItemLinks: true, linksFromEvidence: true}}]',
        ]),
    `deliver: {to: ${to}}`,
    '---',
    'Write the list.',
    '',
  ].join('\n')
}

export const goodText =
  '# News\n\n- [One](https://a.example/1) is out.\n- [Two](https://a.example/2) as well.\n'

/** Where `goodText` goes on the day of `morning`. */
export const product = `${root}/agents/ann/knowledge/2026-11-30.md`

export const workspace: Record<string, string> = {
  'claw.yaml': claw,
  'agents/ann/SOUL.md': 'Be exact.\n',
  'agents/ann/jobs/list.md': jobText(),
  'agents/ann/jobs/blind.md': jobText([], 'blind'),
}

const collector: Collector = {
  name: 'list.collect',
  description: 'two items that are always there',
  collect: async (_options, { world }) => ({
    items: [1, 2].map(number => ({
      url: `https://a.example/${number}`,
      title: `Item ${number}`,
      summary: 'It is out.',
      source: 'sample',
      category: 'media',
      published: morning,
      fetchedAt: new Date(world.clock.now()).toISOString(),
      hash: String(number).repeat(64),
      score: 1,
      stars: 3,
    })),
    sources: [{ name: 'sample', url: 'https://a.example', state: 'ok', items: 2 }],
    ready: true,
    notes: [],
    counts: { items: 2 },
  }),
}

/** The two channels outlive the processes that send on them: what is in `received` has arrived. */
export interface OtherSide {
  keyed: ScriptedChannel
  blind: ScriptedChannel
}

export interface Rig {
  world: SimWorld
  ports: RunPorts
  otherSide: OtherSide
  /** Runs that came as far as asking a model for the first time. */
  started: () => number
}

export interface RigOptions {
  files?: Record<string, string>
  disk?: MemDisk
  now?: string
  /** Default: `goodText`, whenever asked. */
  ask?: AskModel | readonly ScriptedReply[]
  otherSide?: Partial<OtherSide>
}

export function rig({ files = {}, disk, now = morning, ask, otherSide }: RigOptions = {}): Rig {
  const world = simWorld({ now, ...(disk ? { disk } : { files: { ...workspace, ...files } }) })
  const channels = {
    keyed: otherSide?.keyed ?? scriptedChannel({ name: 'keyed', kind: 'keyed' }),
    blind: otherSide?.blind ?? scriptedChannel({ name: 'blind', kind: 'blind' }),
  }
  const script = typeof ask === 'function' ? ask : ask ? scriptedModel(ask, world.clock) : alwaysGood(world)
  const begun = new Set<AbortSignal | undefined>()
  const counted: AskModel = request => {
    begun.add(request.signal)
    return script(request)
  }
  return { world, otherSide: channels, ports: portsOf(counted, channels), started: () => begun.size }
}

export function portsOf(ask: AskModel, channels: Readonly<Record<string, Channel>>): RunPorts {
  return {
    ask,
    collectors: async () => [collector],
    sharedLocks: () => Promise.reject(new Error('no shared volume here')),
    channel: async ({ name }) => channels[name]!,
    launch: () => Promise.reject(new Error('nothing is launched here')),
  }
}

/** Each answer is another text that keeps the contract, as models are. */
function alwaysGood({ clock }: SimWorld): AskModel {
  let answers = 0
  return ask => {
    answers += 1
    const text = answers === 1 ? goodText : `${goodText}\nAnswer ${answers}.\n`
    return scriptedModel([{ text, usage: { input: 100, output: 50 } }], clock)(ask)
  }
}

export interface CommandEnd {
  exitCode: number
  out: string
  err: string
}

/** One command line in a process of its own, as `main.ts` would run it. */
export async function command(
  { world, ports }: Pick<Rig, 'world' | 'ports'>,
  ...argv: string[]
): Promise<CommandEnd> {
  world.terminal.clear()
  const exitCode = await dispatch({ world, ports, version: '0.0.0', argv })
  return { exitCode, out: world.terminal.outText, err: world.terminal.errText }
}

/** The same state seen by the next process: other ids, a later moment, no fault. */
export function nextProcess(of: Rig, laterMs = 60_000): Rig {
  of.world.clock.advance(laterMs)
  return { ...of, world: of.world.another() }
}

/** Loads what commands import lazily, so that a dynamic import never falls into a measured run. */
export async function warmUp(): Promise<void> {
  for (const { load } of commands) await load()
}

/** Runs of a sweep; all of them with SWEEP=all. */
export function sampleOf(count: number): { sample?: number } {
  return process.env['SWEEP'] === 'all' ? {} : { sample: count }
}

/** Lines for people that begin as an error does. */
export function errorLines({ err }: CommandEnd): string[] {
  return err.split('\n').filter(line => line.startsWith('claw:'))
}
