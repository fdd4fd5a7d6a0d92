import assert from 'node:assert/strict'
import test from 'node:test'
import { DecodeProblem } from '../../src/core/decode.ts'
import { decodeJob } from '../../src/core/job.ts'

const origin = { agent: 'ainews', name: 'digest', file: 'agents/ainews/jobs/digest.md' }
const decode = (frontmatter: unknown, body = 'Write it.') => decodeJob(origin, frontmatter, body)

function refusal(frontmatter: unknown, body?: string): string {
  try {
    decode(frontmatter, body)
  } catch (error) {
    assert.ok(error instanceof DecodeProblem)
    return error.message
  }
  return 'accepted'
}

test('a job with nothing but a prompt has the documented defaults', () => {
  const job = decode({})
  assert.deepEqual(
    [job.schedule, job.enabled, job.tier, job.timeout, job.session, job.overlap, job.silent, job.deliver],
    [{ kind: 'manual' }, true, 'routine', 180_000, 'isolated', 'skip', false, undefined],
  )
})

test('schedules are cron, every or at, and one of them', () => {
  assert.deepEqual(decode({ schedule: '30 8 * * *' }).schedule, { kind: 'cron', expression: '30 8 * * *' })
  assert.deepEqual(decode({ every: '30m' }).schedule, { kind: 'every', everyMs: 1_800_000 })
  assert.deepEqual(decode({ at: '2026-11-28T00:00:00Z' }).schedule, {
    kind: 'at',
    at: Date.UTC(2026, 10, 28),
  })
  assert.match(
    refusal({ at: '2026-11-28T09:00' }),
    /does not say in which zone; write 2026-11-28T09:00\+08:00/,
  )
  assert.match(refusal({ at: '2026-11-28' }), /write 2026-11-28T09:00\+08:00/)
  assert.deepEqual(decode({ schedule: '@daily' }).schedule, { kind: 'cron', expression: '@daily' })
  assert.match(refusal({ every: '30m', at: '2026-11-28T00:00:00Z' }), /one of schedule, every, at/)
  assert.match(refusal({ schedule: '* * * * * *' }), /five fields/)
  assert.match(refusal({ every: '10s' }), /a minute or more/)
})

test('what would silently not happen is refused', () => {
  const table: [unknown, RegExp, string?][] = [
    [{}, /the prompt is empty/, '  \n'],
    [{ deliver: { mode: 'announce' } }, /needs `to: <channel>`/],
    [{ tz: 'Asia/Shangai' }, /IANA time zone/],
    [{ session: 'named:' }, /isolated, main or named/],
    [{ ovrlap: 'skip' }, /did you mean `overlap`/],
    [
      { produces: [{ file: 'a.md', chek: {} }] },
      /unknown key `chek` in `produces\[0\]`; did you mean `check`/,
    ],
  ]
  for (const [frontmatter, expected, body] of table) assert.match(refusal(frontmatter, body), expected)
})

test('a product may not go where its agent may not write, but into the folders of the team', () => {
  const produces = (file: string) => refusal({ produces: [{ file }] })
  for (const file of [
    '../../../x.md',
    'vault/../.env',
    '/tmp/x.md',
    'SOUL.md',
    'jobs/x.md',
    'agents/zoe/MEMORY.md',
    'shared-context/agent-runs/ainews/2026-11.jsonl',
    '.claw/x',
    'sessions/x.jsonl',
  ])
    assert.notEqual(produces(file), 'accepted', file)
  for (const file of [
    'knowledge/{date}/x.md',
    'agents/{agent}/x.md',
    'shared-context/intel/{week}.md',
    'vault/x.md',
  ])
    assert.equal(produces(file), 'accepted', file)
})

test('a job for tools alone needs no prompt', () => {
  assert.equal(decode({ tier: 'tool' }, '').prompt, '')
})
