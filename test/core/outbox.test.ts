import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toIso } from '../../src/core/millis.ts'
import { type Delivery, foldOutbox, openDeliveries } from '../../src/core/outbox.ts'
import { decodeOutboxEvent, type OutboxEvent } from '../../src/core/outbox-event.ts'
import {
  breakerRestMs,
  isResting,
  maxAttempts,
  nextStep,
  outcomeEvent,
  pieceKey,
  type SendOutcome,
  type TransportKind,
} from '../../src/core/outbox-step.ts'

const start = Date.UTC(2026, 10, 30, 8)

function enqueued(count = 1, id = 'd1', key = id): OutboxEvent {
  const pieces = Array.from({ length: count }, (_, index) => `message ${index + 1}`)
  return { type: 'enqueued', id, at: toIso(start), key, channel: 'c', pieces, agent: 'a', job: 'j', run: 'r' }
}

function delivery(events: readonly OutboxEvent[], id = 'd1'): Delivery {
  const found = foldOutbox(events).deliveries.get(id)
  assert.ok(found)
  return found
}

/** A process that may die after any step; the other side and the log outlive it. */
interface Life {
  log: OutboxEvent[]
  received: string[]
  kind: TransportKind
  answer: (count: number) => SendOutcome
  sends: number
  now: number
}

class Died extends Error {}

/** Runs until nothing is left to do or the budget of steps ends in death. */
function live(life: Life, budget: number): void {
  const step = (): void => {
    budget -= 1
    if (budget < 0) throw new Died()
  }
  const record = (event: OutboxEvent): void => {
    step()
    life.log.push(event)
    step()
  }
  for (;;) {
    const state = foldOutbox(life.log)
    const one = state.deliveries.get('d1')
    if (!one) return
    const next = nextStep(one, { kind: life.kind, now: life.now })
    if (next.kind === 'done') return
    if (next.kind === 'wait') life.now = next.until
    else if (next.kind === 'record') record(next.event)
    else {
      record(next.intent)
      const outcome = life.answer(life.sends)
      life.sends += 1
      if (outcome.kind === 'sent' && !(life.kind === 'keyed' && life.received.includes(next.key)))
        life.received.push(next.key)
      step()
      const { piece, attempt } = next
      record(outcomeEvent(outcome, { delivery: one, piece, attempt, kind: life.kind, now: life.now }))
    }
  }
}

function newLife(kind: TransportKind, answer: Life['answer'] = () => ({ kind: 'sent' })): Life {
  return { log: [enqueued(5)], received: [], kind, answer, sends: 0, now: start }
}

/** Dies at step `at`, then comes back until it is done. */
function crashAt(kind: TransportKind, at: number, again?: number): Life {
  const life = newLife(kind)
  for (const budget of [at, again ?? Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]) {
    try {
      live(life, budget)
    } catch (error) {
      if (!(error instanceof Died)) throw error
    }
  }
  return life
}

const steps = 26
const keys = [1, 2, 3, 4, 5].map(count => `d1.${count}of5`)

test('on a keyed transport a crash anywhere, and another one, ends in every message exactly once', () => {
  let runs = 0
  for (let at = 0; at < steps; at++) {
    for (let again = 0; again < steps; again++) {
      const life = crashAt('keyed', at, again)
      assert.deepEqual(life.received, keys, `${at} ${again}`)
      assert.equal(delivery(life.log).state, 'delivered')
      runs += 1
    }
  }
  assert.ok(runs > 500)
})

test('on a blind transport a crash anywhere never doubles a message and never loses one in silence', () => {
  for (let at = 0; at < steps; at++) {
    for (let again = 0; again < steps; again++) {
      const life = crashAt('blind', at, again)
      assert.equal(new Set(life.received).size, life.received.length, `doubled at ${at} ${again}`)
      const { pieces, state } = delivery(life.log)
      for (const [index, piece] of pieces.entries()) {
        const arrived = life.received.includes(keys[index] ?? '')
        assert.ok(arrived || piece.state === 'unknown', `lost in silence at ${at} ${again}`)
      }
      assert.equal(state, pieces.some(piece => piece.state === 'unknown') ? 'unknown' : 'delivered')
    }
  }
})

test('sending again whatever has no outcome, the broken twin, doubles messages on a blind transport', () => {
  let doubled = 0
  for (let at = 0; at < steps; at++) {
    const life = newLife('blind')
    const open = newLife('keyed')
    try {
      live(life, at)
    } catch {
      // The twin goes on as if the transport had keys, but the other side has none.
      open.log = life.log
      const twin = { ...open, received: [] as string[] }
      live(twin, Number.POSITIVE_INFINITY)
      const all = [...life.received, ...twin.received]
      if (new Set(all).size < all.length) doubled += 1
    }
  }
  assert.ok(doubled >= 5, `${doubled}`)
})

test('folding a log twice, or with any event repeated, gives the same state', () => {
  const life = crashAt('blind', 8)
  const events: OutboxEvent[] = [
    ...life.log,
    { type: 'retry-requested', id: 'd1', at: toIso(start + 5) },
    { type: 'intent', id: 'd1', at: toIso(start + 6), piece: 1, attempt: 2 },
    { type: 'failed', id: 'd1', at: toIso(start + 7), piece: 1, attempt: 2, why: 'x', permanent: true },
  ]
  const once = foldOutbox(events)
  assert.deepEqual(foldOutbox([...events, ...events]), once)
  fc.assert(
    fc.property(fc.nat(events.length - 1), fc.nat(events.length), (which, after) => {
      const at = Math.max(which + 1, after)
      const repeated = events[which]
      assert.ok(repeated)
      assert.deepEqual(
        foldOutbox([...events.slice(0, at), repeated, ...events.slice(at)]).deliveries,
        once.deliveries,
      )
    }),
  )
})

test('a state that is folded further equals one folded at once', () => {
  const { log } = crashAt('blind', 8)
  assert.deepEqual(foldOutbox(log.slice(4), foldOutbox(log.slice(0, 4))), foldOutbox(log))
})

test('a second delivery with the same key is the same delivery', () => {
  const state = foldOutbox([enqueued(1, 'd1', 'k'), enqueued(1, 'd2', 'k')])
  assert.deepEqual([...state.deliveries.keys()], ['d1'])
  assert.equal(state.byKey.get('k'), 'd1')
})

test('a sure refusal is tried again at the time the channel asks for, within bounds, and given up after three', () => {
  const waits: [number | undefined, number][] = [
    [64_570, 64_570],
    [0, 1000],
    [10 * 3_600_000, 6 * 3_600_000],
    [undefined, 5000],
  ]
  for (const [retryAfterMs, expected] of waits) {
    const event = outcomeEvent(
      { kind: 'refused', why: '429', permanent: false, ...(retryAfterMs !== undefined && { retryAfterMs }) },
      { delivery: delivery([enqueued()]), piece: 0, attempt: 1, kind: 'blind', now: start },
    )
    assert.ok(event.type === 'failed' && !event.permanent)
    assert.equal(event.retryAt, toIso(start + expected))
  }
  const life: Life = {
    ...newLife('blind', () => ({ kind: 'refused', why: '429', permanent: false })),
    log: [enqueued()],
  }
  live(life, Number.POSITIVE_INFINITY)
  assert.equal(life.sends, maxAttempts)
  assert.equal(delivery(life.log).state, 'failed')
  assert.match(delivery(life.log).why, /given up after 3/)
})

test('a send that kills the process is given up after exactly three attempts, also on a keyed transport', () => {
  const life: Life = {
    ...newLife('keyed', () => {
      throw new Died()
    }),
    log: [enqueued()],
  }
  let deaths = 0
  while (delivery(life.log).state !== 'failed') {
    try {
      live(life, Number.POSITIVE_INFINITY)
    } catch {
      deaths += 1
    }
    assert.ok(deaths < 10)
  }
  assert.equal(deaths, maxAttempts)
})

test('a lost answer is unknown on a blind transport, tried again with the same key on a keyed one', () => {
  const lost: Life['answer'] = count => (count === 0 ? { kind: 'lost', why: 'reset' } : { kind: 'sent' })
  const blind: Life = { ...newLife('blind', lost), log: [enqueued()] }
  live(blind, Number.POSITIVE_INFINITY)
  assert.deepEqual([delivery(blind.log).state, blind.sends], ['unknown', 1])
  const keyed: Life = { ...newLife('keyed', lost), log: [enqueued()] }
  live(keyed, Number.POSITIVE_INFINITY)
  assert.deepEqual([delivery(keyed.log).state, keyed.sends, keyed.received], ['delivered', 2, ['d1']])
})

test('a permanent refusal stops the rest; a retry by a person sends only what did not arrive', () => {
  const life = newLife('blind', count =>
    count === 2 ? { kind: 'refused', why: '404', permanent: true } : { kind: 'sent' },
  )
  live(life, Number.POSITIVE_INFINITY)
  assert.equal(delivery(life.log).state, 'failed')
  assert.deepEqual(life.received, keys.slice(0, 2))
  life.log.push({ type: 'retry-requested', id: 'd1', at: toIso(start + 1) })
  live(life, Number.POSITIVE_INFINITY)
  assert.equal(delivery(life.log).state, 'delivered')
  assert.deepEqual(life.received, keys)
})

test('what is dropped or delivered is left alone, the rest is listed', () => {
  const dropped: OutboxEvent[] = [enqueued(), { type: 'dropped', id: 'd1', at: toIso(start), why: 'old' }]
  assert.equal(nextStep(delivery(dropped), { kind: 'blind', now: start }).kind, 'done')
  assert.equal(openDeliveries(foldOutbox(dropped)).length, 0)
  assert.equal(openDeliveries(foldOutbox([enqueued()])).length, 1)
  assert.equal(
    delivery([...dropped, { type: 'delivered', id: 'd1', at: toIso(start), piece: 0, attempt: 1 }]).state,
    'dropped',
  )
  assert.equal(delivery([enqueued(0)]).state, 'delivered')
})

test('a late acceptance corrects an unknown', () => {
  const events: OutboxEvent[] = [
    enqueued(),
    { type: 'intent', id: 'd1', at: toIso(start), piece: 0, attempt: 1 },
    { type: 'unknown', id: 'd1', at: toIso(start), piece: 0, attempt: 1, why: 'x' },
    { type: 'delivered', id: 'd1', at: toIso(start), piece: 0, attempt: 1, ref: 'm1' },
  ]
  assert.equal(delivery(events).state, 'delivered')
})

test('a channel that fails five times in a row rests, then gets one try', () => {
  const events = [1, 2, 3, 4, 5].flatMap((count): OutboxEvent[] => [
    enqueued(1, `d${count}`),
    { type: 'intent', id: `d${count}`, at: toIso(start), piece: 0, attempt: 1 },
    { type: 'failed', id: `d${count}`, at: toIso(start), piece: 0, attempt: 1, why: '404', permanent: true },
  ])
  const state = foldOutbox([...events, enqueued(1, 'd6')])
  const health = state.channels.get('c')
  assert.ok(isResting(health, start + 1))
  const step = (now: number): string =>
    nextStep(delivery([...events, enqueued(1, 'd6')], 'd6'), { kind: 'blind', now, health }).kind
  assert.equal(step(start + 1), 'wait')
  assert.equal(step(start + breakerRestMs), 'send')
  // A clock that ran ahead and was set back must not keep the channel closed.
  assert.equal(step(start - 1), 'send')
})

test('a wait that was set by a clock that ran ahead does not hold a delivery for months', () => {
  const ahead = start + 200 * 24 * 3_600_000
  const events: OutboxEvent[] = [
    enqueued(),
    { type: 'intent', id: 'd1', at: toIso(ahead), piece: 0, attempt: 1 },
    {
      type: 'failed',
      id: 'd1',
      at: toIso(ahead),
      piece: 0,
      attempt: 1,
      why: '429',
      permanent: false,
      retryAt: toIso(ahead + 60_000),
    },
  ]
  const step = (now: number): string => nextStep(delivery(events), { kind: 'blind', now }).kind
  assert.equal(step(start), 'send')
  assert.equal(step(ahead), 'wait')
})

test('a delivery of one message uses its own key, one of several numbers them', () => {
  assert.equal(pieceKey(delivery([enqueued(1)]), 0), 'd1')
  assert.equal(pieceKey(delivery([enqueued(5)]), 4), 'd1.5of5')
})

test('a line that is no event is told apart', () => {
  for (const event of crashAt('blind', 8).log)
    assert.deepEqual(decodeOutboxEvent(JSON.parse(JSON.stringify(event))), event)
  const bad: unknown[] = [
    null,
    [],
    'x',
    {},
    { type: 'intent', id: 'd' },
    { type: 'sent', id: 'd', at: toIso(start) },
    { type: 'intent', id: 'd', at: 'soon', piece: 0, attempt: 1 },
    { type: 'intent', id: 'd', at: toIso(start), piece: -1, attempt: 1 },
    { type: 'constructor', id: 'd', at: toIso(start) },
  ]
  for (const value of bad) assert.equal(decodeOutboxEvent(value), undefined, JSON.stringify(value))
})
