import { readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDraft } from '../../src/store/atomic-file.ts'
import type { Claw } from './claw.ts'
import { type Outcome, farSide } from './shim.ts'
import { filesOf, lossesSince } from './workspace-tree.ts'

/** One writing command, the workspace it starts from, and what must hold. */
export interface CommandCase {
  name: string
  /** In `dir`, which is the workspace unless the command makes one. */
  start: (claw: Claw, dir: string) => Promise<void>
  argv: (dir: string) => string[]
  /** The moment of the command, default 01:00 on 28 November. */
  at?: string
  /** Of its next run, default the same. */
  againAt?: string
  /** Problems right after the fault. */
  after?: (dir: string, outcome: Outcome) => string[]
  /** Problems when the same command has run again. */
  settled: (claw: Claw, dir: string) => Promise<string[]>
}

const later = '2026-11-28T03:00:00Z'
/** After every pause between two tries to send. */
const muchLater = '2026-11-28T23:00:00Z'

const digest = 'agents/ainews/knowledge/daily/2026-11-28/morning-digest.md'

const runDigest: CommandCase = {
  name: 'run a job, to a file',
  start: (claw, dir) => teamWithPast(claw, dir),
  argv: () => ['run', 'ainews', 'morning-digest', '--slot', 'auto'],
  after: (dir, outcome) => (outcome.exitCode === 0 ? missing(dir, digest) : []),
  settled: async (claw, dir) => {
    await claw(dir, ['outbox', 'retry'], muchLater)
    return deliveredOnce(dir)
  },
}

export const commandCases: readonly CommandCase[] = [
  {
    name: 'init',
    start: async (claw, dir) => void (await claw(dir, ['init', templateOf(dir)])),
    argv: dir => ['init', dir],
    after: (dir, { exitCode }) => lossesSince(templateOf(dir), dir, { isPart: exitCode !== 0 }),
    settled: async (_claw, dir) => lossesSince(templateOf(dir), dir),
  },
  {
    name: 'one turn',
    start: (claw, dir) => teamWithPast(claw, dir),
    argv: () => ['run', 'zoe', '-m', 'what happened today?'],
    after: (dir, outcome) =>
      outcome.exitCode === 0 && turns(dir) !== 2 ? [`exit 0, but ${turns(dir) - 1} turns are recorded`] : [],
    settled: async (_claw, dir) => (turns(dir) >= 2 ? [] : ['no turn was recorded']),
  },
  runDigest,
  {
    ...runDigest,
    name: 'run a job, to a channel that cannot tell repeats',
    start: async (claw, dir) => {
      await teamWithPast(claw, dir)
      const config = readFileSync(join(dir, 'claw.yaml'), 'utf8')
      writeFileSync(
        join(dir, 'claw.yaml'),
        config.replace(/ainews: \{type: file.*/, `ainews: {type: scripted, path: ${farSide}}`),
      )
    },
    settled: async (claw, dir) => {
      await claw(dir, ['outbox', 'retry'], muchLater)
      return atMostOnceAndToldOf(claw, dir)
    },
  },
  {
    name: 'outbox retry',
    at: later,
    againAt: muchLater,
    start: teamWithUndelivered,
    argv: () => ['outbox', 'retry'],
    settled: async (claw, dir) => {
      await claw(dir, ['outbox', 'retry'], muchLater)
      return deliveredOnce(dir)
    },
  },
  {
    name: 'outbox drop',
    at: later,
    start: teamWithUndelivered,
    argv: dir => ['outbox', 'drop', deliveryId(dir)],
    settled: async (claw, dir) => {
      const { stdout } = await claw(dir, ['outbox', 'list', '--all', '--json'], later)
      const states = (JSON.parse(stdout) as { state: string }[]).map(({ state }) => state)
      return states.join() === 'dropped' && sentFiles(dir).length === 0 ? [] : [`it is ${states.join()}`]
    },
  },
  {
    name: 'doctor --fix',
    start: async (claw, dir) => {
      await teamWithPast(claw, dir)
      writeFileSync(runsLog(dir), '{"type":"run","half', { flag: 'a' })
      const draft = join(dir, 'agents', 'zoe', 'MEMORY.md.0123abcd.draft')
      writeFileSync(draft, 'half')
      utimesSync(draft, new Date(0), new Date(0))
    },
    argv: () => ['doctor', '--fix'],
    settled: async (_claw, dir) => {
      const kept = filesOf(dir).filter(path =>
        readFileSync(join(dir, path), 'utf8').includes('"type":"run","half'),
      )
      return kept.length > 0 ? [] : ['the torn bytes are gone']
    },
  },
]

/** A team in which zoe spoke once. */
async function teamWithPast(claw: Claw, dir: string): Promise<void> {
  await claw(dir, ['init', dir])
  const config = readFileSync(join(dir, 'claw.yaml'), 'utf8')
  writeFileSync(
    join(dir, 'claw.yaml'),
    config
      .replace('  providers:\n', `  providers:\n    mock: {api: openai-chat, baseUrl: "${claw.modelUrl}"}\n`)
      .replace('    main: []', '    main: [mock/m]'),
  )
  const { exitCode, stderr } = await claw(dir, ['run', 'zoe', '-m', 'hello'], '2026-11-27T01:00:00Z')
  if (exitCode !== 0) throw new Error(`the first turn fails: ${stderr}`)
}

/** The digest's channel was a folder that could not be made; now it can. */
async function teamWithUndelivered(claw: Claw, dir: string): Promise<void> {
  await teamWithPast(claw, dir)
  const vault = join(dir, 'vault', 'ainews')
  rmSync(vault, { recursive: true, force: true })
  writeFileSync(vault, '')
  await claw(dir, runDigest.argv(dir))
  rmSync(vault)
  if (deliveryId(dir) === '') throw new Error('nothing waits in the outbox')
}

/** Of the delivery that waits in the tree which all runs begin with. */
function deliveryId(dir: string): string {
  const [name = ''] = readdirSync(join(dir, '..', 'start', '.claw', 'outbox')).filter(entry =>
    entry.endsWith('.jsonl'),
  )
  return name.replace('.jsonl', '')
}

/** A workspace beside the others, made without a fault. */
function templateOf(dir: string): string {
  return join(dir, '..', 'template')
}

function runsLog(dir: string): string {
  return join(dir, 'shared-context', 'agent-runs', 'zoe', '2026-11.jsonl')
}

function turns(dir: string): number {
  return readFileSync(runsLog(dir), 'utf8')
    .split('\n')
    .filter(line => line.includes('"state":"ok"')).length
}

function missing(dir: string, path: string): string[] {
  return filesOf(dir).includes(path) ? [] : [`exit 0, but there is no ${path}`]
}

function sentFiles(dir: string): string[] {
  try {
    return readdirSync(join(dir, 'vault', 'ainews')).filter(name => name.endsWith('.md') && !isDraft(name))
  } catch {
    return []
  }
}

function deliveredOnce(dir: string): string[] {
  const sent = sentFiles(dir)
  if (sent.length !== 1) return [`it was delivered ${sent.length} times`]
  const text = readFileSync(join(dir, 'vault', 'ainews', sent[0]!), 'utf8')
  return text === readFileSync(join(dir, digest), 'utf8') ? [] : ['half of it was delivered']
}

async function atMostOnceAndToldOf(claw: Claw, dir: string): Promise<string[]> {
  const { stdout } = await claw(dir, ['outbox', 'list', '--json'], later)
  const open = JSON.parse(stdout) as { state: string }[]
  const keys = receivedKeys(dir)
  if (new Set(keys).size !== keys.length) return ['a piece was sent twice']
  return keys.length > 0 || open.length > 0 ? [] : ['it did not arrive, and nothing tells of it']
}

function receivedKeys(dir: string): string[] {
  try {
    const lines = readFileSync(join(dir, farSide, 'received.jsonl'), 'utf8')
      .trim()
      .split('\n')
    return lines.map(line => (JSON.parse(line) as { key: string }).key)
  } catch {
    return []
  }
}
