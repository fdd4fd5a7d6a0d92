import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs, type Millis, minuteMs } from '../../src/core/millis.ts'
import { retryDefaults, type RunFailure } from '../../src/core/retry.ts'
import {
  decideSlot,
  maxSlotTries,
  onTimeMs,
  type SlotAttempt,
  type SlotDecision,
  type SlotQuestion,
} from '../../src/core/slot-policy.ts'

const slot = Date.parse('2026-11-30T00:30:00Z')

interface Given {
  policy?: 'latest' | 'all' | 'none'
  within?: number
  ageMs?: number
  isLatest?: boolean
  attempts?: readonly SlotAttempt[]
  retry?: Partial<SlotQuestion['job']['retry']>
}

function ask({
  policy = 'latest',
  within = 2 * hourMs,
  ageMs = 0,
  isLatest = true,
  attempts = [],
  retry,
}: Given) {
  const job = { catchup: { policy, within }, retry: { ...retryDefaults, ...retry } }
  return decideSlot({ job, slot, now: slot + ageMs, attempts, isLatest })
}

/** What a reader of docs/jobs.md expects of a slot that nobody has begun. */
function expected({
  policy,
  within,
  ageMs,
  isLatest,
}: Required<Pick<Given, 'policy' | 'within' | 'ageMs' | 'isLatest'>>) {
  if (ageMs < 0) return 'later'
  if (ageMs <= onTimeMs) return 'start'
  if (policy === 'none' || ageMs > within) return 'missed'
  return policy === 'all' || isLatest ? 'start' : 'missed'
}

const ages = [-minuteMs, 0, 2 * minuteMs, 3 * minuteMs, hourMs, 2 * hourMs, 2 * hourMs + 1, 72 * hourMs]
const windows = [0, 30 * minuteMs, 2 * hourMs, 100 * hourMs]

function wrongOnes(decide: (given: Given) => SlotDecision): string[] {
  const wrong: string[] = []
  for (const policy of ['latest', 'all', 'none'] as const)
    for (const within of windows)
      for (const ageMs of ages)
        for (const isLatest of [true, false]) {
          const given = { policy, within, ageMs, isLatest }
          const { kind } = decide(given)
          if (kind !== expected(given)) wrong.push(`${JSON.stringify(given)}: ${kind}`)
        }
  return wrong
}

test('a slot that nobody has begun goes by policy, window and age', () => {
  assert.deepEqual(wrongOnes(ask), [])
})

test('the same catches a decision that forgets the window, or that a later slot is due', () => {
  assert.notDeepEqual(
    wrongOnes(given => ask({ ...given, within: 1000 * hourMs })),
    [],
  )
  assert.notDeepEqual(
    wrongOnes(given => ask({ ...given, isLatest: true })),
    [],
  )
})

function attempt(given: Partial<SlotAttempt> = {}): SlotAttempt {
  return { run: 'r1', claimedAt: slot, hadEffects: false, isAlive: false, end: undefined, ...given }
}

function ended(
  state: NonNullable<SlotAttempt['end']>['state'],
  failure: RunFailure | null = null,
  at: Millis = slot + minuteMs,
): SlotAttempt {
  return attempt({ end: { state, failure, at } })
}

for (const state of ['ok', 'silent', 'skipped', 'waiting'] as const) {
  test(`a slot that ended ${state} is over`, () => {
    assert.equal(ask({ ageMs: hourMs, attempts: [ended(state)] }).kind, 'settled')
  })
}

test('a run that lives is waited for, and nobody knows how long', () => {
  const { kind, ...rest } = ask({ ageMs: hourMs, attempts: [attempt({ isAlive: true })] })
  assert.equal(kind, 'later')
  assert.equal('at' in rest && rest.at, undefined)
})

test('a run that died before it had any effect is repeated, so often and no more', () => {
  for (let count = 1; count < maxSlotTries; count++) {
    const decision = ask({ ageMs: 5 * minuteMs, attempts: Array.from({ length: count }, () => attempt()) })
    assert.deepEqual(decision, { kind: 'start', attempt: count + 1, isLate: true })
  }
  const all = Array.from({ length: maxSlotTries }, () => attempt())
  assert.match(reasonOf(ask({ ageMs: 5 * minuteMs, attempts: all })), /given up after 3 runs/)
})

test('one that died after it had asked a model is repeated only where the job says so', () => {
  const attempts = [attempt({ hadEffects: true })]
  assert.equal(ask({ ageMs: 5 * minuteMs, attempts }).kind, 'settled')
  assert.equal(ask({ ageMs: 5 * minuteMs, attempts, retry: { attempts: 2, on: ['crashed'] } }).kind, 'start')
})

test('a crash is not repeated outside the window, or when a later slot is due', () => {
  const attempts = [attempt()]
  assert.match(reasonOf(ask({ ageMs: 3 * hourMs, attempts })), /its window is over/)
  assert.match(reasonOf(ask({ ageMs: 5 * minuteMs, attempts, policy: 'none' })), /its window is over/)
  assert.match(reasonOf(ask({ ageMs: 5 * minuteMs, attempts, isLatest: false })), /a later one is due/)
})

test('a bad end is tried again for a class that the job names, after a pause that doubles', () => {
  const retry = { attempts: 3, backoff: 5 * minuteMs, on: ['rate-limit' as const] }
  const once = [ended('failed', 'rate-limit')]
  assert.equal(ask({ ageMs: 2 * minuteMs, attempts: once }).kind, 'settled', 'without a policy')
  assert.equal(ask({ ageMs: 2 * minuteMs, attempts: [ended('failed', 'auth')], retry }).kind, 'settled')
  const early = ask({ ageMs: 2 * minuteMs, attempts: once, retry })
  assert.deepEqual([early.kind, 'at' in early && early.at], ['later', slot + 6 * minuteMs])
  assert.deepEqual(ask({ ageMs: 6 * minuteMs, attempts: once, retry }), {
    kind: 'start',
    attempt: 2,
    isLate: true,
  })
  const twice = [...once, ended('failed', 'rate-limit', slot + 7 * minuteMs)]
  const second = ask({ ageMs: 8 * minuteMs, attempts: twice, retry })
  assert.equal('at' in second && second.at, slot + 17 * minuteMs)
  assert.equal(
    ask({ ageMs: hourMs, attempts: [...twice, ended('failed', 'rate-limit')], retry }).kind,
    'settled',
  )
})

test('a retry is not made up for after a sleep that was longer than the window', () => {
  const retry = { attempts: 3, backoff: 5 * minuteMs, on: ['rate-limit' as const] }
  const attempts = [ended('failed', 'rate-limit')]
  assert.equal(ask({ ageMs: 2 * hourMs, attempts, retry }).kind, 'start')
  assert.match(reasonOf(ask({ ageMs: 3 * hourMs, attempts, retry })), /the time to try again is over/)
})

test('a pause that is longer than the window is kept: it is the policy', () => {
  const retry = { attempts: 2, backoff: 4 * hourMs, on: ['server' as const] }
  const attempts = [ended('failed', 'server')]
  assert.equal(ask({ ageMs: 4 * hourMs + minuteMs, attempts, retry }).kind, 'start')
})

test('stamps of a clock that ran ahead keep no slot from running', () => {
  const ahead = slot + 5 * hourMs
  assert.deepEqual(ask({ ageMs: minuteMs, attempts: [ended('skipped', null, ahead)] }), {
    kind: 'start',
    attempt: 2,
    isLate: false,
  })
  assert.equal(ask({ ageMs: minuteMs, attempts: [ended('ok', null, ahead)] }).kind, 'settled', 'it has run')
  const retry = { attempts: 3, backoff: 5 * minuteMs, on: ['server' as const] }
  assert.equal(
    ask({ ageMs: 10 * minuteMs, attempts: [ended('failed', 'server', ahead)], retry }).kind,
    'start',
  )
})

function reasonOf(decision: SlotDecision): string {
  return 'reason' in decision ? decision.reason : decision.kind
}
