import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { claw, clawJson, digest, linkedItems, readIn, treeOf, workspace } from './rig.ts'

const auto = [...digest, '--slot', 'auto']
const product = 'agents/ainews/knowledge/daily/2026-11-28/morning-digest.md'

test('the first run prints a digest in which every item has its link, and says where it is stored', async t => {
  const root = await workspace(t)
  const { code, out, err } = await claw(auto, { cwd: root })
  assert.equal(code, 0, err)
  const text = readIn(root, product)
  assert.ok(linkedItems(text).length >= 18, `${linkedItems(text).length} items`)
  assert.deepEqual(
    text.split('\n').filter(line => line.startsWith('- ') && !line.includes('](')),
    [],
    'no item is without a link',
  )
  assert.ok(out.startsWith(text.trimEnd()), 'what is printed is what is stored')
  assert.match(out, new RegExp(`^stored in ${product}$`, 'm'))
  assert.match(out, /^channel ainews: delivered$/m)
  assert.deepEqual(
    readdirSync(join(root, 'vault/ainews')).map(name => readIn(root, `vault/ainews/${name}`)),
    [text],
  )
})

test('a second run in the same slot is skipped, says which run has it, and delivers nothing', async t => {
  const root = await workspace(t)
  const [first] = await clawJson(auto, { cwd: root })
  const again = await claw([...auto, '--now', '2026-11-28T00:50:00Z'], { cwd: root })
  assert.equal(again.code, 0)
  assert.equal(
    again.out,
    `ainews/morning-digest: skipped, slot 2026-11-28T00:30:00.000Z ran already (run ${first['run']}: ok)\n`,
  )
  const [third, { code }] = await clawJson([...auto, '--now=2026-11-28T01:00:00Z'], { cwd: root })
  assert.equal(code, 0)
  assert.equal(third['state'], 'skipped')
  assert.deepEqual(third['delivery'], [])
  assert.equal(readdirSync(join(root, 'vault/ainews')).length, 1)
  const [runs] = await clawJson<{ state: string }[]>(['runs'], { cwd: root })
  assert.deepEqual(
    runs.map(run => run.state),
    ['skipped', 'skipped', 'ok'],
  )
})

test('a run by hand uses up no slot', async t => {
  const root = await workspace(t)
  for (const argv of [digest, digest, auto])
    assert.equal((await clawJson(argv, { cwd: root }))[0]['state'], 'ok')
})

test('the document of a run has the documented members, and its text is the one stored', async t => {
  const root = await workspace(t)
  const [report, { err }] = await clawJson(auto, { cwd: root })
  const members =
    'run agent job slot state reason model text files evidence usage delivery durationMs fallbacks degraded keptAside session'
  assert.deepEqual(Object.keys(report), members.split(' '))
  assert.deepEqual(report['files'], [product])
  assert.equal(`${report['text']}\n`, readIn(root, product))
  assert.match(err, /gathered 44 items from 7 of 7 sources/)
})

test('init overwrites nothing and can be repeated', async t => {
  const root = await workspace(t)
  const before = treeOf(root)
  const [report] = await clawJson<{ created: string[]; kept: string[] }>(['init', root])
  assert.deepEqual(report.created, [])
  assert.ok(report.kept.length > 50)
  assert.deepEqual(treeOf(root), before)
})

test('the solo template runs too', async t => {
  const root = join(await workspace(t), '..', 'solo')
  assert.equal((await claw(['init', root, '--template', 'solo'])).code, 0)
  const [status] = await clawJson<{ agents: { agent: string }[] }>(['status', '-C', root])
  assert.deepEqual(
    status.agents.map(({ agent }) => agent),
    ['zoe'],
  )
  assert.equal((await claw(['doctor', '-C', root])).code, 0)
})
