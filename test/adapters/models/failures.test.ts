import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classify } from '../../../src/adapters/models/classify.ts'
import { parsedJson } from '../../../src/core/parsed-json.ts'
import { decodeProviderError } from '../../../src/adapters/models/provider-error.ts'
import { retryAfterMs } from '../../../src/adapters/models/retry-after.ts'
import type { ModelApi } from '../../../src/agent/model.ts'
import { type FailureClass, failureRules } from '../../../src/core/failure.ts'
import { localServer, refusedOrigin } from '../../local-server.ts'
import { answering, ask, linkTo, request } from './model-rig.ts'

const err = (message: string, code: string | null = null, type = ''): object => ({
  error: { message, code, type },
})

/** Status, body, class. Bodies have the shapes that providers document. */
const table: [number, unknown, FailureClass][] = [
  [429, err('slow down', 'rate_limit_exceeded'), 'rate-limit'],
  [429, err('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'), 'billing'],
  [429, { error: { type: 'exceeded_current_quota_error', message: 'm' } }, 'billing'],
  [429, 'too many', 'rate-limit'],
  [429, err('engine busy', null, 'engine_overloaded_error'), 'overloaded'],
  [402, err('pay'), 'billing'],
  [
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' },
    },
    'billing',
  ],
  [403, err('Insufficient Balance'), 'billing'],
  [401, err('no', 'invalid_api_key'), 'auth'],
  [401, '', 'auth'],
  [403, { type: 'error', error: { type: 'permission_error', message: 'm' } }, 'auth'],
  [400, err('bad key', null, 'authentication_error'), 'auth'],
  [404, err("The model 'x' does not exist", 'model_not_found'), 'model-not-found'],
  [
    404,
    { type: 'error', error: { type: 'not_found_error', message: 'model: some-model' } },
    'model-not-found',
  ],
  [404, { error: "model 'x' not found" }, 'model-not-found'],
  [404, { error: 'model "x" not found, try pulling it first' }, 'model-not-found'],
  [404, err('The model `x` does not exist or you do not have access to it.'), 'model-not-found'],
  [404, '404 page not found', 'format'],
  [404, { detail: 'Not Found' }, 'format'],
  [404, err('Unknown request URL: GET /v1/x. Check the model guide.'), 'format'],
  [400, err('m', 'context_length_exceeded'), 'context-overflow'],
  [
    400,
    err("This model's maximum context length is 8192 tokens. However, you asked for 9000."),
    'context-overflow',
  ],
  [
    400,
    {
      object: 'error',
      message: "This model's maximum context length is 8192 tokens.",
      type: 'BadRequestError',
      code: 400,
    },
    'context-overflow',
  ],
  [
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    'context-overflow',
  ],
  [400, { error: { code: 400, type: 'exceed_context_size_error', message: 'm' } }, 'context-overflow'],
  [
    400,
    [
      {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        },
      },
    ],
    'context-overflow',
  ],
  [413, { type: 'error', error: { type: 'request_too_large', message: 'm' } }, 'context-overflow'],
  [
    400,
    err('Invalid value in messages[3].content: "prompt is too long: 210000 tokens > 200000 maximum"'),
    'format',
  ],
  [400, err('tool_use ids must be unique', null, 'invalid_request_error'), 'format'],
  [422, { detail: [{ loc: ['body'], msg: 'field required' }] }, 'format'],
  [405, '', 'format'],
  [400, err('m', 'content_filter'), 'refusal'],
  [400, { code: 'DataInspectionFailed', message: 'm' }, 'refusal'],
  [408, '', 'timeout'],
  [504, '<html>gateway</html>', 'timeout'],
  [503, err('m'), 'overloaded'],
  [529, { type: 'error', error: { type: 'overloaded_error', message: 'm' } }, 'overloaded'],
  [500, { type: 'error', error: { type: 'api_error', message: 'm' } }, 'server'],
  [502, '<html>bad gateway</html>', 'server'],
  [500, err("This page quotes: This model's maximum context length is 8192 tokens"), 'server'],
  [418, '', 'format'],
]

test('each status and error body has its class', () => {
  for (const [status, body, why] of table) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const error = decodeProviderError(parsedJson(text))
    assert.equal(classify({ status, ...(error && { error }) }), why, `${status} ${text}`)
  }
  const covered = new Set(table.map(([, , why]) => why))
  const fromAnswersOnly = new Set(['network', 'empty', 'truncated', 'aborted'])
  for (const why of Object.keys(failureRules))
    assert.ok(covered.has(why as FailureClass) || fromAnswersOnly.has(why), why)
})

test('an answer or a plain object is no error', () => {
  for (const value of [
    { choices: [] },
    { error: null },
    { code: 'x' },
    'text',
    null,
    5,
    [],
    { message: { content: 'c' } },
    { type: 'message' },
  ]) {
    assert.equal(decodeProviderError(value), undefined, JSON.stringify(value))
  }
})

test('Retry-After is read as seconds, milliseconds and date, against the clock of the server', () => {
  const now = Date.parse('2026-03-01T00:00:00Z')
  const rows: [Record<string, string>, number | undefined][] = [
    [{ 'retry-after': '20' }, 20_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': 'Sun, 01 Mar 2026 00:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 09:01:00 GMT', date: 'Sun, 01 Mar 2026 09:00:00 GMT' }, 60_000],
    [{ 'retry-after': 'Sat, 28 Feb 2026 00:00:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ]
  for (const [headers, ms] of rows) assert.equal(retryAfterMs(headers, now), ms, JSON.stringify(headers))
})

const apis: ModelApi[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'ollama-chat']

for (const api of apis) {
  test(`${api}: a refusal carries class, status, one line and how long to wait, and hides the key`, async t => {
    const body = JSON.stringify(err('You sent\nkey-s3cret too often', 'rate_limit_exceeded'))
    const { origin } = await answering(t, {
      status: 429,
      headers: { 'retry-after': '7', 'content-type': 'application/json' },
      body,
    })
    assert.deepEqual(await ask(request(linkTo(api, origin))), {
      kind: 'refused',
      why: 'rate-limit',
      detail: 'You sent *** too often',
      status: 429,
      retryAfterMs: 7000,
    })
  })

  test(`${api}: a web page or plain text with status 200 is no answer`, async t => {
    for (const type of ['text/html; charset=utf-8', 'text/plain']) {
      const { origin } = await answering(t, {
        headers: { 'content-type': type },
        body: '<html>All is well. Sign in.</html>\n',
      })
      const reply = await ask(request(linkTo(api, origin)))
      assert.ok(reply.kind === 'refused' && ['format', 'server'].includes(reply.why), JSON.stringify(reply))
    }
  })

  test(`${api}: an error object with status 200 is classified like any other`, async t => {
    const { origin } = await answering(t, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(err('m', 'insufficient_quota')),
    })
    const reply = await ask(request(linkTo(api, origin)))
    assert.ok(reply.kind === 'refused')
    assert.equal(reply.why, 'billing')
  })

  test(`${api}: silence, an endless trickle, a refused port and an abort end in their class`, async t => {
    const silent = await localServer(t, () => {})
    const trickle = await localServer(t, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => response.write(': wait\n\n'), 15)
      response.on('close', () => clearInterval(timer))
    })
    const limits = { connectMs: 5000, idleMs: 5000, totalMs: 10_000 }
    const why = async (origin: string, more: object): Promise<string> => {
      const reply = await ask(request(linkTo(api, origin), more))
      return reply.kind === 'refused' ? reply.why : reply.kind
    }
    assert.equal(await why(silent, { limits: { ...limits, idleMs: 50 } }), 'timeout')
    if (api !== 'ollama-chat')
      assert.equal(await why(trickle, { limits: { ...limits, totalMs: 150 } }), 'timeout')
    assert.equal(await why(await refusedOrigin(), { limits }), 'network')
    assert.equal(await why(silent, { limits, signal: AbortSignal.timeout(50) }), 'aborted')
    assert.equal(await why('not an address', { limits }), 'format')
  })
}

test('a trickle of thinking lines ends at the total limit too', async t => {
  const trickle = await localServer(t, (_request, response) => {
    const timer = setInterval(
      () => response.write(`${JSON.stringify({ message: { thinking: '.' }, done: false })}\n`),
      15,
    )
    response.on('close', () => clearInterval(timer))
  })
  const reply = await ask(
    request(linkTo('ollama-chat', trickle), { limits: { connectMs: 5000, idleMs: 5000, totalMs: 150 } }),
  )
  assert.ok(reply.kind === 'refused')
  assert.equal(reply.why, 'timeout')
})
