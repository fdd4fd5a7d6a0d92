import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import test from 'node:test'
import type { SimulateReport } from '../../src/flows/simulate.ts'
import { claw } from './rig.ts'

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
