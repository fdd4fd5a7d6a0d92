import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { actionable } from '../../src/flows/actionable.ts'
import { installCron, uninstallCron } from '../../src/flows/cron-install.ts'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import type { SpawnScript } from '../../src/sim/script-spawn.ts'
import { sampleOf } from './command-rig.ts'

const root = '/ws'
const foreign = 'MAILTO=me\n0 1 * * * keep'
const request = { format: 'crontab', dryRun: false } as const

const files = {
  'ws/claw.yaml': 'team: test\ntimezone: Asia/Shanghai\n',
  'ws/agents/ann/SOUL.md': 'Be exact.\n',
  'ws/agents/ann/jobs/list.md': '---\nschedule: "30 8 * * *"\n---\nWrite.\n',
  'opt/claw/dist/main.js': '',
  'home/sim/': '',
}

/** A table that crontab(1) keeps outside of the workspace's disk, by world. */
const tables = new WeakMap<SimWorld['spawn'], { text: string }>()

function start(): SimWorld {
  const table = { text: foreign }
  const script: SpawnScript = ({ argv: [, word = ''] }) => {
    if (word === '-l') return { stdout: table.text }
    const bytes = world.disk.read(word)
    if (!bytes) return { outcome: { kind: 'exited', exitCode: 1 }, stderr: `${word}: No such file` }
    table.text = Buffer.from(bytes).toString()
    return {}
  }
  const world = simWorld({ files, root: '/', spawn: script })
  tables.set(world.spawn, table)
  return world
}

function tableOf(world: SimWorld): string {
  return tables.get(world.spawn)!.text
}

/** What an installer does that empties the table before it writes the new one. */
async function careless(world: SimWorld): Promise<void> {
  const table = tables.get(world.spawn)!
  const kept = table.text
  table.text = ''
  world.disk.create('/ws/.claw-draft', Buffer.from(kept))
  table.text = `${kept}\n# >>> claw /ws\n`
}

const keepsForeign = (world: SimWorld, where: string): void =>
  assert.ok(tableOf(world).startsWith(foreign), `${where}: ${tableOf(world)}`)

const isInstalled = (world: SimWorld, where: string): void => {
  keepsForeign(world, where)
  assert.match(tableOf(world), /run ann list [^]* tick [^]*# <<< claw \/ws\n$/, where)
}

before(async () => {
  const world = start()
  await installCron(world, root, request)
  await uninstallCron(world, root, request)
  assert.equal(tableOf(world), foreign)
})

test('a crash anywhere in an install leaves the lines of others, and the next install is whole', async () => {
  const { points } = await sweepCrashes({
    start,
    act: world => installCron(world, root, request),
    between: keepsForeign,
    check: isInstalled,
    ...sampleOf(150),
  })
  assert.ok(points >= 8, `${points} points`)
})

test('a disk that refuses leaves the lines of others as well, and is told as every command tells it', async () => {
  const { points } = await sweepErrors({
    start,
    act: world =>
      installCron(world, root, request).catch((error: unknown) => {
        throw actionable(error)
      }),
    between: keepsForeign,
    check: isInstalled,
    ...sampleOf(150),
  })
  assert.ok(points >= 8, `${points} points`)
})

test('the sweep catches an installer that empties the table first', async () => {
  await assert.rejects(
    sweepCrashes({ start, act: careless, between: keepsForeign, check: keepsForeign }),
    /\S/,
  )
})
