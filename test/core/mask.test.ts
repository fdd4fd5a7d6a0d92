import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { addsMask, maskedDeep, masker } from '../../src/core/mask.ts'
import { secretShapes } from '../../src/core/secret-shapes.ts'
import { sharedPath } from '../shared.ts'

const alnum = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5kM7nP9rS1uV3xY5zA7cD9fG1iL3oR5tU7wX9'
const hex = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0'
const some = (length: number, of = alnum): string => of.repeat(4).slice(0, length)

/** Made here from parts, so that no scanner takes this file for a leak. */
const fakes: [string, string][] = [
  ['openai', `sk-${some(48)}`],
  ['openai', `sk-proj-${some(60)}`],
  ['anthropic', `sk-ant-api03-${some(80)}`],
  ['openrouter', `sk-or-v1-${some(64, hex)}`],
  ['github', `ghp_${some(36)}`],
  ['github', `github_pat_${some(82)}`],
  ['gitlab', `glpat-${some(20)}`],
  ['slack', `xoxb-${some(12, '1234567890')}-${some(24)}`],
  ['slack', `xapp-1-${some(40)}`],
  ['slack-webhook', `https://hooks.slack.com/services/T${some(9)}/B${some(9)}/${some(24)}`],
  ['discord-bot', `M${some(25)}.${some(6)}.${some(38)}`],
  ['discord-webhook', `https://discord.com/api/webhooks/${some(18, '1234567890')}/${some(68)}`],
  ['telegram-bot', `${some(10, '1234567890')}:A${some(34)}`],
  ['aws-key', `AKIA${'ABCDEFGH234567IJ'}`],
  ['aws-secret', `aws_secret_access_key = ${some(40)}`],
  ['google', `AIza${some(35)}`],
  ['google', `GOCSPX-${some(28)}`],
  ['huggingface', `hf_${some(34)}`],
  ['groq', `gsk_${some(52)}`],
  ['xai', `xai-${some(80)}`],
  ['perplexity', `pplx-${some(48)}`],
  ['replicate', `r8_${some(37)}`],
  ['tavily', `tvly-${some(32)}`],
  ['stripe', `sk_live_${some(24)}`],
  ['stripe', `rk_test_${some(24)}`],
  ['jwt', `eyJ${some(30)}.eyJ${some(60)}.${some(43)}`],
  ['npm', `npm_${some(36)}`],
  ['pypi', `pypi-AgE${some(60)}`],
  ['docker', `dckr_pat_${some(27)}`],
  ['sendgrid', `SG.${some(22)}.${some(43)}`],
  ['digitalocean', `dop_v1_${some(64, hex)}`],
  ['databricks', `dapi${some(32, hex)}`],
  ['notion', `ntn_${some(11, '1234567890')}${some(35)}`],
  ['linear', `lin_api_${some(40)}`],
  ['feishu-webhook', `https://open.feishu.cn/open-apis/bot/v2/hook/${some(36, hex)}`],
  ['dingtalk-webhook', `https://oapi.dingtalk.com/robot/send?access_token=${some(64, hex)}`],
  ['wecom-webhook', `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${some(36, hex)}`],
  ['url-password', `postgres://user:${some(16)}@db.example/x`],
  ['bearer', `Authorization: Bearer ${some(40)}`],
  ['private-key', `-----BEGIN RSA PRIVATE KEY-----\n${some(64)}\n${some(64)}\n-----END RSA PRIVATE KEY-----`],
  ['assigned', `MY_SERVICE_TOKEN=${some(32)}`],
]

const lookAlikes = [
  '166f9218c0de4a7f9b2d3e5a6c7b8d9e0f1a2b3c',
  'b3b1f0de-6f0a-4a57-9a35-0c9f0d7d1c11',
  `sha256-${some(43)}=`,
  `data:image/png;base64,iVBORw0KGgo${some(200)}`,
  some(64, hex),
  'https://arxiv.org/abs/2411.12345v2',
  'task-decomposition-and-long-horizon-planning-for-agents',
  'sk-learn is a library; sk-or-nothing; disk-usage-of-the-machine',
  'basic internationalization-and-localization of text',
  'the bearer of-this-letter-and-of-all-the-others may pass',
  'OPENAI_API_KEY=${OPENAI_API_KEY}',
  'api_key: "your-api-key-goes-here"',
  'maxTokens: 128000, tokens used 1234567890123456789',
  'https://example.org:8080/a@b/c',
  'password: see the vault',
  'gpt-5.4-mini-2026-08-07',
  '[masked:openai]',
  '1234567890:about the colon',
]

test('each kind of fake token is masked by its kind, alone and inside a sentence', () => {
  const mask = masker([])
  for (const [kind, fake] of fakes) {
    for (const text of [fake, `see ${fake} here`, `{"x":"${fake}"}`, `x=${fake}\n`]) {
      const masked = mask(text)
      assert.ok(masked.includes(`[masked:${kind}]`), `${kind}: ${masked}`)
      assert.ok(!masked.includes(fake.slice(-16)), `${kind} leaks its end: ${masked}`)
      assert.equal(mask(masked), masked, `${kind} is not stable`)
    }
  }
  assert.ok(new Set(fakes.map(([kind]) => kind)).size >= 28)
})

test('what only looks like a token stays', () => {
  const mask = masker([])
  for (const text of lookAlikes) assert.equal(mask(text), text)
})

test('a known secret is masked in every form it is written in', () => {
  const secret = 'p@ss/w "ö" rd&1?'
  const mask = masker([secret])
  const forms = [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase().replaceAll('%c3%b6', '%c3%b6'),
    JSON.stringify({ secret }),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(`user:${secret}`).toString('base64'),
    Buffer.from(`me:${secret}:x`).toString('base64'),
    Buffer.from(`{"a":"${secret}"}`).toString('base64'),
  ]
  for (const form of forms) assert.ok(mask(`a ${form} b`).includes('[masked:secret]'), form)
})

test('a replace of the plain value only, the broken twin, misses the encoded forms', () => {
  const secret = 'p@ss/word-1'
  const twin = (text: string): string => text.replaceAll(secret, '[masked:secret]')
  assert.equal(twin(encodeURIComponent(secret)), encodeURIComponent(secret))
  assert.notEqual(masker([secret])(encodeURIComponent(secret)), encodeURIComponent(secret))
})

test('short and empty secrets mask nothing', () => {
  assert.equal(masker(['', 'abc', '     '])('abc def'), 'abc def')
})

test('a longer secret that holds a shorter one is masked whole', () => {
  assert.equal(masker(['abcdef', 'abcdefghij'])('x abcdefghij y'), 'x [masked:secret] y')
})

test('a write that would put a mask where the secret was is noticed', () => {
  assert.ok(addsMask('key: real', 'key: [masked:openai]'))
  assert.ok(!addsMask('see [masked:openai]', 'see [masked:openai] again'))
})

test('masking long hostile text stays fast enough to finish', () => {
  const mask = masker(['secret-value-1'])
  for (const text of [
    'sk-'.repeat(50_000),
    'eyJ'.repeat(50_000),
    'password='.repeat(20_000),
    '-----BEGIN PRIVATE KEY-----'.repeat(2_000),
  ]) {
    assert.equal(typeof mask(text), 'string')
  }
})

test('leaks of the shared secret corpus are found, its clean cases mostly stay', () => {
  const path = sharedPath('data', 'security', 'secrets', 'secretlint-cases.jsonl')
  if (!path) return
  const mask = masker([])
  const cases = readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { rule: string; case: string; leak: boolean; input_b64: string })
    .filter(({ rule }) => rule !== 'azure')
    .map(one => ({ ...one, text: Buffer.from(one.input_b64, 'base64').toString('utf8') }))
  const missed = cases.filter(
    ({ leak, text, case: name }) => leak && name.startsWith('ng') && mask(text) === text,
  )
  const alarms = cases.filter(({ leak, text }) => !leak && mask(text) !== text)
  assert.deepEqual(
    missed.map(({ rule, case: name }) => `${rule} ${name}`),
    [],
  )
  // What is left differs from a real token by a character or is on that project's own list of known fakes.
  assert.ok(alarms.length <= 10, alarms.map(({ rule, case: name }) => `${rule} ${name}`).join(', '))
})

test('a value is masked member by member, by name too, and stays the value it was', () => {
  const mask = masker(['very-secret-value'])
  const cutKey = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}`
  const value = {
    role: 'toolResult',
    content: [{ type: 'text', text: `x very-secret-value\n${cutKey}` }],
    details: { api_key: 'Ab1Cd2Ef3Gh4Ij5Kl6', 'very-secret-value': 1, count: 2, none: null },
  }
  assert.deepEqual(maskedDeep(value, mask), {
    role: 'toolResult',
    content: [{ type: 'text', text: 'x [masked:secret]\n[masked:private-key]' }],
    details: { api_key: '[masked:assigned]', '[masked:secret]': 1, count: 2, none: null },
  })
})

test('masking the JSON, the broken twin, takes a quote with the end of a cut key', () => {
  const cutKey = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}`
  assert.throws(() => JSON.parse(masker([])(JSON.stringify({ text: cutKey }))), SyntaxError)
})

test('the hint of a shape stands in its pattern, so that no text of the shape is passed over', () => {
  for (const { kind, hint, pattern } of secretShapes) {
    if (hint) assert.ok(pattern.source.replaceAll('\\', '').includes(hint), `${kind}: ${hint}`)
  }
  assert.ok(secretShapes.filter(({ hint }) => hint).length > 50)
})
