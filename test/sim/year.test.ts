import assert from 'node:assert/strict'
import test from 'node:test'
import { broken, files, onDisk, simulated } from './year-rig.ts'

/** Nothing runs before the evening: a broken ledger is busy each minute from then on. */
const late = {
  'agents/ann/jobs/blind.md': files['agents/ann/jobs/blind.md']!.replace('*/4', '23'),
  'agents/ann/jobs/keyed.md': files['agents/ann/jobs/keyed.md']!.replace('2,8,20', '23'),
}

test('days without faults keep every invariant, and every slot has its run', async () => {
  const report = await simulated()
  assert.deepEqual(report.failures, [])
  assert.deepEqual(broken(report), [])
  assert.ok(report.slots.due >= 12, `${report.slots.due} slots were due`)
  assert.equal(report.slots.ran, report.slots.due)
  assert.ok(report.deliveries.blind > 5 && report.deliveries.keyed > 2, JSON.stringify(report.deliveries))
  assert.ok(report.ticks.passedOver > 1000, `${report.ticks.passedOver} idle ticks`)
})

test('with heavy faults invariants hold as well, and faults did strike', async () => {
  const report = await simulated({ faults: 'heavy', seed: 5, days: 3 })
  assert.deepEqual(report.failures, [])
  assert.ok(Object.keys(report.injected).length > 3, JSON.stringify(report.injected))
})

test('the same seed is the same run, day by day also in a shorter one; another seed is another', async () => {
  const facts = async (seed: number, days: number) => {
    const { runs, injected, slots, deliveries, disk, killed } = await simulated({
      faults: 'heavy',
      seed,
      days,
    })
    return JSON.stringify({ runs, injected, slots, deliveries, disk, killed })
  }
  assert.equal(await facts(3, 1), await facts(3, 1))
  assert.notEqual(await facts(3, 1), await facts(4, 1))
})

test('an hour that the host skips and one that it repeats lose no slot and double none', async () => {
  for (const from of ['2026-03-28', '2026-10-24']) {
    const report = await simulated({ from, hostZone: 'Europe/Berlin' })
    assert.deepEqual(report.failures, [], from)
    assert.equal(report.slots.ran, report.slots.due, from)
  }
})

test('a channel that sends twice is caught on the day', async () => {
  const report = await simulated({
    days: 7,
    untilFailure: true,
    twin: real => given => {
      const channel: typeof given.ports.channel = async request => {
        const inner = await given.ports.channel(request)
        return { ...inner, send: async (text, key) => (await inner.send(text, key), inner.send(text, key)) }
      }
      return real({ ...given, ports: { ...given.ports, channel } })
    },
  })
  assert.deepEqual(broken(report), ['each delivery at most once where blind'])
  assert.equal(report.days, 1)
  assert.match(
    report.failures[0]!.replay,
    /^claw -C \/ws simulate --from 2026-03-02 --days 1 --seed 1 --faults none/,
  )
})

test('a store that tears what it appends is caught', async () => {
  const tears = onDisk(disk => ({
    append(path, bytes) {
      disk.append(path, path.includes('/agent-runs/') ? Buffer.from('{"type":"run",\n') : bytes)
      return bytes.length
    },
  }))
  assert.ok(broken(await simulated({ days: 1, twin: tears })).includes('every line readable'))
})

test('a ledger that forgets what it recorded leaves slots silent, and is caught', async () => {
  const forgets = onDisk(disk => ({
    append: (path, bytes) => (path.includes('/agent-runs/') ? bytes.length : disk.append(path, bytes)),
  }))
  assert.ok(broken(await simulated({ days: 2, twin: forgets })).includes('no slot silent'))
})

test('a ledger that claims nothing and knows no run runs a slot twice, and is caught', async () => {
  const isClaim = (path: string): boolean => path.includes('/.claw/slots/')
  const isLedger = (path: string): boolean => isClaim(path) || path.includes('/agent-runs/')
  const claimsNothing = onDisk(disk => ({
    create: (path, bytes, mode) => (isClaim(path) && disk.remove(path), disk.create(path, bytes, mode)),
    link: (from, to) => (isClaim(to) && disk.remove(to), disk.link(from, to)),
    read: path => (isLedger(path) ? undefined : disk.read(path)),
    readRange: (path, offset, length) => (isLedger(path) ? undefined : disk.readRange(path, offset, length)),
  }))
  const report = await simulated({ days: 1, files: late, twin: claimsNothing })
  assert.ok(broken(report).includes('each slot at most once'), broken(report).join(', '))
})

test('a lease that keeps its name after the end is caught', async () => {
  const keeps = onDisk(disk => ({ remove: path => path.endsWith('ann.keyed.owner') || disk.remove(path) }))
  assert.deepEqual(broken(await simulated({ days: 1, files: late, twin: keeps })), [
    'no lease outlives its run',
  ])
})

test('what no command may throw is a failure with its stack', async () => {
  const report = await simulated({
    days: 1,
    twin: real => given =>
      given.argv.includes('keyed') ? Promise.reject(new TypeError('no such member')) : real(given),
  })
  assert.match(report.failures[0]!.what, /run ann keyed .*TypeError: no such member/)
})
