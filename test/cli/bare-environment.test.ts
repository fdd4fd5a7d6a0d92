import assert from 'node:assert/strict'
import { existsSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { claw, clawJson, digest, main, now, readIn, said, workspace } from './rig.ts'

const slot = [...digest, '--slot', 'auto']
const product = 'agents/ainews/knowledge/daily/2026-11-28/morning-digest.md'

test('the run is the same in the bare environment of cron, wherever its zone', async t => {
  const expected = await workspace(t)
  assert.equal((await claw(slot, { cwd: expected })).code, 0)
  for (const zone of ['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', ':/etc/localtime']) {
    const root = await workspace(t)
    const env = { LANG: 'C', LC_ALL: 'C', TZ: zone, PATH: '/usr/bin:/bin', HOME: undefined }
    const [report, { code, err }] = await clawJson([...slot, '-C', root], { cwd: '/', env })
    assert.equal(code, 0, err)
    assert.equal(report['slot'], '2026-11-28T00:30:00.000Z', zone)
    assert.equal(readIn(root, product), readIn(expected, product), zone)
  }
})

test('CLAW_WORKSPACE and CLAW_NOW do what -C and --now do', async t => {
  const root = await workspace(t)
  const named = await clawJson(slot, { cwd: '/', env: { CLAW_WORKSPACE: root } })
  assert.equal(named[0]['state'], 'ok')
  const later = '2026-11-29T00:40:00Z'
  const next = await clawJson([...slot, '--now', later, '-C', root], { cwd: '/', env: { CLAW_NOW: now } })
  assert.equal(next[0]['slot'], '2026-11-29T00:30:00.000Z')
})

test('the workspace is found from a folder deep inside it, and with a relative -C', async t => {
  const root = await workspace(t)
  assert.equal((await claw(['status'], { cwd: join(root, 'agents/ainews/jobs') })).code, 0)
  assert.equal((await claw(['status', '-C', 'team'], { cwd: dirname(root) })).code, 0)
})

test('an empty environment is enough', async t => {
  const root = await workspace(t)
  const env = { PATH: undefined, HOME: undefined }
  const { code, err } = await claw([...slot, '-C', root], { cwd: '/', env })
  assert.equal(code, 0, err)
  assert.ok(existsSync(join(root, product)))
})

test('the command can be called through a link, as npm link makes one', async t => {
  const root = await workspace(t)
  const link = join(dirname(root), 'claw')
  symlinkSync(main, link)
  const made = join(dirname(root), 'linked')
  const { code, err } = await said(process.execPath, [link, 'init', made])
  assert.equal(code, 0, err)
  assert.ok(existsSync(join(made, 'claw.yaml')))
})

test('in a folder whose name has blanks, quotes and no ASCII the run works too', async t => {
  const root = join(dirname(await workspace(t)), 'my "team" 日报')
  assert.equal((await claw(['init', root])).code, 0)
  const { code, err } = await claw([...slot, '-C', root])
  assert.equal(code, 0, err)
})
