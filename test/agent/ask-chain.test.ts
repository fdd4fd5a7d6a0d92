import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offlineExtractive } from '../../src/adapters/models/offline-extractive.ts'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { askChain, type ChainOutcome, type ChainRequest, linksFrom } from '../../src/agent/ask-chain.ts'
import type { AskModel } from '../../src/agent/model.ts'
import { type FailureClass, failureRules } from '../../src/core/failure.ts'
import { textOf } from '../../src/core/message.ts'
import { chainOf, link, question } from './turn-rig.ts'

const request: ChainRequest = {
  system: '',
  messages: [question],
  tools: [],
  limits: { connectMs: 1, idleMs: 1, totalMs: 1 },
}
const a = link('a/one')
const b = link('b/two')
const offline = link('offline/extractive', { api: 'offline' })

function refusal(why: FailureClass, more: object = {}): ScriptedReply {
  return { refused: { why, ...more } }
}

function story(outcome: ChainOutcome): string {
  const tries = outcome.attempts.map(({ ref, why }) => `${ref}:${why}`)
  return [
    ...tries,
    outcome.kind === 'answered' ? `${outcome.link.ref}:${textOf(outcome.message)}` : outcome.kind,
  ].join(' ')
}

test('each class does what the table of rules says', async () => {
  for (const [why, rule] of Object.entries(failureRules) as [
    FailureClass,
    (typeof failureRules)[FailureClass],
  ][]) {
    const script = [...Array(rule.tries)].map((): ScriptedReply => ({
      ...refusal(why),
      when: { ref: 'a/one' },
    }))
    const rig = chainOf([a, b], [...script, { text: 'yes', when: { ref: 'b/two' } }])
    const outcome = await askChain(rig.chain, request)
    const tries = Array(rule.does === 'retry' ? rule.tries : 1)
      .fill(`a/one:${why}`)
      .join(' ')
    const end = { retry: 'b/two:yes', next: 'b/two:yes', compact: 'overflow', stop: 'stopped' }[rule.does]
    assert.equal(story(outcome), `${tries} ${end}`, why)
    const cooled = Object.keys(rig.cooldowns())
    const expected = { model: ['model:a/one'], credential: ['credential:a'], nobody: [] }[rule.cools]
    assert.deepEqual(cooled, rule.does === 'retry' || rule.does === 'next' ? expected : [], why)
  }
})

test('a retry that succeeds is reported and leaves no rest', async () => {
  const { chain, clock, cooldowns } = chainOf(
    [a],
    [refusal('server', { status: 500, detail: 'oops' }), { text: 'yes' }],
  )
  const outcome = await askChain(chain, request)
  assert.equal(story(outcome), 'a/one:server a/one:yes')
  const [attempt] = outcome.attempts
  assert.equal(attempt?.status, 500)
  assert.equal(attempt?.detail, 'oops')
  assert.ok(attempt && attempt.waitedMs >= 500 && attempt.waitedMs <= 1000)
  assert.deepEqual(clock.sleeps, [attempt.waitedMs])
  assert.deepEqual(cooldowns(), {})
})

test('Retry-After is waited for when a run can, and becomes a rest when it cannot', async () => {
  const short = chainOf([a], [refusal('rate-limit', { retryAfterMs: 20_000 }), { text: 'yes' }])
  await askChain(short.chain, request)
  assert.deepEqual(short.clock.sleeps, [20_000])
  const long = chainOf([a, b], [refusal('rate-limit', { retryAfterMs: 7_200_000 }), { text: 'yes' }])
  assert.equal(story(await askChain(long.chain, request)), 'a/one:rate-limit b/two:yes')
  assert.deepEqual(long.clock.sleeps, [])
  const rest = long.cooldowns()['model:a/one']
  assert.equal(rest && rest.until - rest.at, 7_200_000)
})

test('a resting link is passed over and named, and asked again when its time is over', async () => {
  const { chain, clock } = chainOf(
    [a, b],
    [refusal('timeout'), { text: 'one' }, { text: 'two' }, { text: 'three' }],
  )
  assert.equal(story(await askChain(chain, request)), 'a/one:timeout b/two:one')
  assert.equal(story(await askChain(chain, request)), 'a/one:cooling b/two:two')
  clock.advance(failureRules.timeout.coolMs)
  assert.equal(story(await askChain(chain, request)), 'a/one:three')
})

test('one model that rests does not silence another of the same provider; a bad key does', async () => {
  const sibling = link('a/other')
  const model = chainOf([a, sibling], [refusal('model-not-found'), { text: 'yes' }])
  assert.equal(story(await askChain(model.chain, request)), 'a/one:model-not-found a/other:yes')
  const key = chainOf([a, sibling, b], [refusal('auth'), { text: 'yes' }])
  assert.equal(story(await askChain(key.chain, request)), 'a/one:auth a/other:cooling b/two:yes')
})

test('a new key ends the rest of the old one', async () => {
  const rig = chainOf(
    [link('a/one', { apiKey: 'old' }), b],
    [refusal('auth'), { text: 'yes' }, { text: 'good' }],
  )
  await askChain(rig.chain, request)
  const renewed = { ...rig.chain, links: [link('a/one', { apiKey: 'new' }), b] }
  assert.equal(story(await askChain(renewed, request)), 'a/one:good')
})

test('when all rest or fail, the offline link still answers; a strict chain says when to come back', async () => {
  const rig = chainOf([a, b], [refusal('billing'), refusal('billing')])
  const first = await askChain(rig.chain, request)
  assert.equal(story(first), 'a/one:billing b/two:billing exhausted')
  const again = await askChain(rig.chain, request)
  assert.ok(again.kind === 'exhausted')
  assert.equal(story(again), 'a/one:cooling b/two:cooling exhausted')
  assert.equal(again.soonestRetryAt, rig.clock.now() + failureRules.billing.coolMs)
  const own = offlineExtractive({ clock: rig.clock })
  const open = await askChain({ ...rig.chain, links: [a, b, offline], ask: own }, request)
  assert.equal(open.kind === 'answered' && open.link.ref, 'offline/extractive')
  assert.equal(open.attempts.length, 2)
})

test('an abort while waiting ends the chain', async () => {
  const stop = new AbortController()
  const ask: AskModel = async () => {
    stop.abort()
    return { kind: 'refused', why: 'server', detail: '' }
  }
  const outcome = await askChain(chainOf([a, b], ask).chain, { ...request, signal: stop.signal })
  assert.ok(outcome.kind === 'stopped')
  assert.equal(outcome.why, 'aborted')
})

test('the output limit is that of the link, or less', async () => {
  const seen: number[] = []
  const ask: AskModel = async ({ maxOutputTokens }) => {
    seen.push(maxOutputTokens)
    return { kind: 'refused', why: 'format', detail: '' }
  }
  const { chain } = chainOf([a, link('c/x', { maxOutput: 50 })], ask)
  await askChain(chain, request)
  await askChain(chain, { ...request, maxOutputTokens: 200 })
  assert.deepEqual(seen, [1000, 50, 200, 50])
})

test('within a run the links before the one that answered are left out', () => {
  assert.deepEqual(linksFrom([a, b, offline], b), [b, offline])
  assert.deepEqual(linksFrom([a], b), [a])
})
