import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ModelApi } from '../../../src/agent/model.ts'
import { repoDir } from '../../shared.ts'
import { answering, ask, gist, linkTo, request } from './model-rig.ts'

/** Stream file -> what it comes to. A class means that it is no answer. */
const expected: Partial<Record<ModelApi, Record<string, string>>> = {
  'openai-chat': {
    'text.sse': 'Zwei 新闻 🦞.',
    'text-crlf.sse': 'Zwei 新闻 🦞.',
    'no-done.sse': 'Zwei 新闻 🦞.',
    'whole.json': 'Whole.',
    'thinking-text.sse': '(Let me see) | Seen.',
    'think-tag.sse': '(<think>hm</think>) | Seen.',
    'tools.sse': 'Looking. | read{"path":"a.md"} | list{}',
    'tools-all-zero.sse': 'read{"path":"a"} | read{"path":"b"}',
    'tool-no-arguments.sse': 'finish{}',
    'overflow-quoted.sse': "This model's maximum context length is 8192 tokens, says the page.",
    'cut.sse': 'network',
    'cut-midline.sse': 'server',
    'garbage.sse': 'server',
    'length.sse': 'truncated',
    'tools-cut.sse': 'truncated',
    'tools-broken-off.sse': 'network',
    'tools-bad-json.sse': 'format',
    'content-filter.sse': 'refusal',
    'refusal.sse': 'refusal',
    'empty.sse': 'empty',
    'blank.sse': 'empty',
    'thinking-only.sse': 'empty',
    'error-inside.sse': 'overloaded',
    'quota-inside.sse': 'billing',
  },
  'openai-responses': {
    'text.sse': 'Zwei 新闻.',
    'whole.json': 'Whole.',
    'tools.sse': '(hm) | read{"path":"a"}',
    'only-end.sse': 'All at once. | read{}',
    'incomplete.sse': 'truncated',
    'filtered.sse': 'refusal',
    'refusal.sse': 'refusal',
    'failed.sse': 'rate-limit',
    'overflow.sse': 'context-overflow',
    'cut.sse': 'network',
    'empty.sse': 'empty',
  },
  'anthropic-messages': {
    'text.sse': 'Zwei 新闻.',
    'whole.json': 'Whole. | read{"path":"a"}',
    'tools.sse': 'Looking. | read{"path":"a"} | list{}',
    'thinking.sse': '(hm) | Seen.',
    'provider-tool.sse': 'Found.',
    'tools-cut.sse': 'truncated',
    'refusal.sse': 'refusal',
    'window.sse': 'context-overflow',
    'overloaded-inside.sse': 'overloaded',
    'cut.sse': 'network',
    'empty.sse': 'empty',
  },
  'ollama-chat': {
    'text.ndjson': 'Zwei 新闻.',
    'thinking.ndjson': '(hm) | Seen.',
    'tools.ndjson': 'read{"path":"a"} | list{}',
    'length.ndjson': 'truncated',
    'cut.ndjson': 'network',
    'error-inside.ndjson': 'server',
    'empty.ndjson': 'empty',
  },
}

function stream(api: ModelApi, file: string): Buffer {
  return readFileSync(join(repoDir, 'fixtures/streams', api, file))
}

for (const [api, streams] of Object.entries(expected) as [ModelApi, Record<string, string>][]) {
  for (const [file, outcome] of Object.entries(streams)) {
    test(`${api}: ${file} comes to ${outcome}, whole and byte by byte`, async t => {
      const body = stream(api, file)
      const type = { sse: 'text/event-stream', json: 'application/json', ndjson: 'application/x-ndjson' }[
        file.split('.')[1] ?? ''
      ]
      for (const pieceBytes of [body.length, 7, 1]) {
        const { origin } = await answering(t, { body, pieceBytes, headers: { 'content-type': String(type) } })
        assert.equal(gist(await ask(request(linkTo(api, origin)))), outcome)
      }
    })
  }

  test(`${api}: any cut of a good stream is an answer only when all of it had come`, async t => {
    const file = api === 'ollama-chat' ? 'text.ndjson' : 'text.sse'
    const body = stream(api, file)
    for (let sizeBytes = 0; sizeBytes < body.length; sizeBytes += 23) {
      const { origin } = await answering(t, { body: body.subarray(0, sizeBytes) })
      const reply = gist(await ask(request(linkTo(api, origin))))
      assert.ok(
        reply === streams[file] || reply === 'network' || reply === 'server',
        `${sizeBytes}: ${reply}`,
      )
    }
  })
}

test('a reader that takes whatever text came is caught by the cut streams', () => {
  for (const file of ['cut.sse', 'length.sse', 'error-inside.sse']) {
    const naive = [
      ...stream('openai-chat', file)
        .toString()
        .matchAll(/"content": ?"([^"]*)"/g),
    ]
      .map(([, text]) => text)
      .join('')
    assert.notEqual(naive, '')
    assert.notEqual(naive, expected['openai-chat']?.[file])
  }
})

test('usage keeps cached tokens apart and is priced', async t => {
  const table: [ModelApi, string, number[]][] = [
    ['openai-chat', 'text.sse', [20, 30, 100, 0, 150]],
    ['openai-responses', 'text.sse', [100, 30, 20, 0, 150]],
    ['anthropic-messages', 'text.sse', [20, 30, 90, 10, 150]],
    ['ollama-chat', 'text.ndjson', [120, 30, 0, 0, 150]],
  ]
  for (const [api, file, [input, output, cacheRead, cacheWrite, totalTokens]] of table) {
    const { origin } = await answering(t, {
      body: stream(api, file),
    })
    const reply = await ask(request(linkTo(api, origin)))
    assert.ok(reply.kind === 'answered')
    const { cost, ...tokens } = reply.message.usage
    assert.deepEqual(tokens, { input, output, cacheRead, cacheWrite, totalTokens }, api)
    assert.ok(cost && cost.total > 0)
  }
})

test('a cut answer keeps its text and usage apart', async t => {
  const { origin } = await answering(t, { body: stream('openai-chat', 'length.sse') })
  const seen: string[] = []
  const reply = await ask(request(linkTo('openai-chat', origin), { onText: delta => seen.push(delta) }))
  assert.ok(reply.kind === 'refused')
  assert.equal(reply.partial, 'Too long')
  assert.equal(seen.join(''), 'Too long')
})
