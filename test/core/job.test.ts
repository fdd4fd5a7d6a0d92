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

test('a job for tools alone needs no prompt', () => {
  assert.equal(decode({ tier: 'tool' }, '').prompt, '')
})
