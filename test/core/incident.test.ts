import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type IncidentBook,
  type JobOutcome,
  noIncidents,
  type Notice,
  noteOutcome,
  signatureOf,
} from '../../src/core/incident.ts'

const limits = { alertAfter: 2, pauseAfter: 10 }

/** Runs of some jobs, one a minute: `<job> ok`, `<job> skipped`, or `<job> <reason>` of a failure. */
function after(
  runs: readonly string[],
  { note = noteOutcome, book = noIncidents }: { note?: typeof noteOutcome; book?: IncidentBook } = {},
): { book: IncidentBook; notices: Notice[] } {
  let state = book
  const notices: Notice[] = []
  for (const [index, text] of runs.entries()) {
    const [name = '', ...words] = text.split(' ')
    const said = words.join(' ')
    const isEnd = said === 'ok' || said === 'skipped'
    const outcome: JobOutcome = {
      job: `ann/${name}`,
      run: `r${index + 1}`,
      state: isEnd ? said : 'failed',
      failure: isEnd ? null : 'server',
      reason: isEnd ? '' : said,
      at: new Date(Date.UTC(2026, 10, 30, 0, index)).toISOString(),
    }
    const noted = note(state, outcome, limits)
    state = noted.book
    notices.push(...noted.notices)
  }
  return { book: state, notices }
}

const kinds = ({ notices }: { notices: Notice[] }): string[] => notices.map(({ kind }) => kind)
const bad = (count: number, job = 'list'): string[] => Array(count).fill(`${job} HTTP 503 from the server`)

test('one bad run is no news, two in a row are one alert, and more add none', () => {
  assert.deepEqual(kinds(after(bad(1))), [])
  assert.deepEqual(kinds(after(bad(2))), ['alert'])
  assert.deepEqual(kinds(after(bad(9))), ['alert'])
})

test('that test catches a book that is forgotten from run to run', () => {
  const forgetful: typeof noteOutcome = (_book, outcome, given) => noteOutcome(noIncidents, outcome, given)
  assert.deepEqual(kinds(after(bad(2), { note: forgetful })), [])
})

test('the same cause over several jobs is one alert', () => {
  const { notices, book } = after([...bad(2), ...bad(3, 'other')])
  assert.deepEqual(kinds({ notices }), ['alert'])
  assert.deepEqual(Object.keys(book.open[0]!.jobs), ['ann/list', 'ann/other'])
  assert.equal(book.open[0]!.count, 5)
})

test('two causes are two', () => {
  const runs = [...bad(2), 'other the key is not set', 'other the key is not set']
  assert.deepEqual(kinds(after(runs)), ['alert', 'alert'])
})

test('a good run of every job that was hit ends it, with one recovery notice', () => {
  const hit = [...bad(2), ...bad(1, 'other')]
  assert.deepEqual(kinds(after([...hit, 'list ok'])), ['alert'])
  const { notices, book } = after([...hit, 'list ok', 'other ok', 'other ok'])
  assert.deepEqual(kinds({ notices }), ['alert', 'recovery'])
  assert.deepEqual(book.open, [])
})

test('what was never told has no recovery to tell', () => {
  assert.deepEqual(kinds(after([...bad(1), 'list ok'])), [])
})

test('a good run in between begins the row anew, and a skip says nothing', () => {
  assert.deepEqual(kinds(after([...bad(1), 'list ok', ...bad(1)])), [])
  assert.deepEqual(kinds(after([...bad(1), 'list skipped', ...bad(1)])), ['alert'])
})

test('ten bad runs in a row pause the job, whatever their causes', () => {
  const causes = [
    'no route',
    'no key',
    'no answer',
    'no disk',
    'no page',
    'no link',
    'no item',
    'no date',
    'no sun',
  ]
  const nine = causes.map(cause => `list ${cause}`)
  assert.equal(after(nine).book.paused['ann/list'], undefined)
  const { book, notices } = after([...nine, 'list no rain'])
  assert.match(book.paused['ann/list']!.reason, /^10 bad runs in a row, the last: no rain$/)
  assert.deepEqual(kinds({ notices }), ['pause'])
})

test('notices have keys of their own, so that a repeated one is one message', () => {
  const { notices } = after([...bad(10), 'list ok', ...bad(2)])
  assert.equal(new Set(notices.map(({ key }) => key)).size, notices.length)
})

for (const [one, other] of [
  ['HTTP 503 after 1200 ms', 'HTTP 503 after 87 ms'],
  ['cannot read agents/ann/x.md', 'cannot read agents/bob/y.md'],
  ['run 20261130-003001-3f9a1c was cut', 'run 20261201-003001-77ab12 was cut'],
  ['GET https://a.example/1?q=2 refused', 'GET https://b.example/9 refused'],
  ['no channel "keyed"', 'no channel "blind"'],
] as const) {
  test(`"${one}" and "${other}" have one cause`, () => {
    const of = (reason: string) => signatureOf({ state: 'failed', failure: 'server', reason })
    assert.equal(of(one), of(other))
  })
}

test('another class of failure is another cause, with the same words', () => {
  const reason = 'it did not answer'
  assert.notEqual(
    signatureOf({ state: 'failed', failure: 'server', reason }),
    signatureOf({ state: 'failed', failure: 'timeout', reason }),
  )
})
