import assert from 'node:assert/strict'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import type { SimulateReport } from '../../src/flows/simulate.ts'
import { claw, workspace } from './rig.ts'

test('claw simulate runs the template for a day and finds every invariant held', async () => {
  const { code, out, err } = await claw(['simulate', '--from', '2026-03-02', '--days', '1'], {
    cwd: tmpdir(),
  })
  assert.equal(code, 0, err)
  assert.match(out, /52 jobs/)
  assert.match(out, /no slot silent +held/)
  assert.doesNotMatch(out, /broken/)
})

test('claw simulate --json gives one document, and with faults every invariant holds too', async () => {
  const argv = [
    'simulate',
    '--from',
    '2026-03-06',
    '--days',
    '3',
    '--faults',
    'heavy',
    '--seed',
    '12',
    '--json',
  ]
  const { code, out, err } = await claw(argv, { cwd: tmpdir() })
  const report = JSON.parse(out) as SimulateReport
  assert.deepEqual(report.failures, [])
  assert.equal(code, 0, err)
  assert.equal(report.days, 3)
  assert.equal(report.slots.unrecorded, 0)
  assert.ok(report.killed > 5, `${report.killed} processes were killed`)
})

test('claw simulate refuses what it cannot simulate', async () => {
  const wrong: [string[], RegExp][] = [
    [['--days', '0'], /--days must be a whole number/],
    [['--faults', 'some'], /--faults must be none, light, heavy/],
    [['--from', 'monday'], /--from must be a date/],
    [['--host-zone', 'Mars/Base'], /IANA time zone/],
    [['--seed', 'x'], /--seed must be a whole number/],
  ]
  for (const [argv, why] of wrong) {
    const { code, err } = await claw(['simulate', ...argv], { cwd: tmpdir() })
    assert.equal(code, 2, argv.join(' '))
    assert.match(err, why)
  }
})

test('a broken job file is left out of the simulation with its place, and where all are broken there is none', async t => {
  const root = await workspace(t)
  for (const agent of ['trading', 'content', 'butler', 'macro', 'zoe'])
    rmSync(join(root, 'agents', agent), { recursive: true })
  const jobs = join(root, 'agents/ainews/jobs')
  writeFileSync(join(jobs, 'weekly-review.md'), '---\nshedule: "0 1 * * *"\n---\nx\n')
  const argv = ['-C', root, 'simulate', '--from', '2026-03-02', '--days', '1', '--json']
  const { code, out, err } = await claw(argv)
  assert.equal(code, 0, err)
  assert.match(err, /ainews\/jobs\/weekly-review\.md:2:1: unknown key .*left out/)
  const { broken, jobs: count, failures } = JSON.parse(out) as SimulateReport
  assert.deepEqual([broken.length, failures], [1, []])
  assert.ok(count > 0)
  for (const name of readdirSync(jobs)) writeFileSync(join(jobs, name), '---\nshedule: x\n---\nx\n')
  assert.equal((await claw(argv)).code, 2)
})
