import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AssistantMessage } from '../../src/core/message.ts'
import { noUsage } from '../../src/core/message.ts'
import { replyFault, withoutThinking } from '../../src/core/reply-check.ts'
import { silentToken, withoutSilentToken } from '../../src/core/silent.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import { addUsage, pricedUsage } from '../../src/core/usage.ts'
import { wellFormed } from '../../src/core/well-formed.ts'

test('a reply is silent only when the token is all of it', () => {
  const table: [string, string | undefined][] = [
    ['NO_REPLY', 'NO_REPLY'],
    [' no_reply.\n', 'NO_REPLY'],
    ['**HEARTBEAT_OK**', 'HEARTBEAT_OK'],
    ['`HEARTBEAT_OK`!!!', 'HEARTBEAT_OK'],
    ['HEARTBEAT_OK all is well', undefined],
    ['There is nothing, so NO_REPLY', undefined],
    ['NO_REPLY\n\nBut the market fell.', undefined],
    ['NO_REPLY_NEEDED', undefined],
    ['NO REPLY', undefined],
    ['', undefined],
    ['NO_REPLY.....', undefined],
  ]
  for (const [reply, token] of table) assert.equal(silentToken(reply), token, reply)
})

test('a token on a line of its own at an edge does not reach people, one within prose stays', () => {
  assert.equal(withoutSilentToken('Rain at noon.\n\nHEARTBEAT_OK'), 'Rain at noon.')
  assert.equal(withoutSilentToken('NO_REPLY\nRain at noon.'), 'Rain at noon.')
  assert.equal(withoutSilentToken('Say NO_REPLY when quiet.'), 'Say NO_REPLY when quiet.')
})

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value }
}

function reply(...content: AssistantMessage['content']): AssistantMessage {
  return {
    role: 'assistant',
    content,
    api: 'a',
    provider: 'p',
    model: 'm',
    usage: noUsage,
    stopReason: 'stop',
    timestamp: 0,
  }
}

test('a reply with nothing to see and nothing to do is told from one that only thought', () => {
  assert.equal(replyFault(reply()), 'empty')
  for (const blank of ['', ' \n\t', '\u200b\ufeff', '\u00a0'])
    assert.equal(replyFault(reply(text(blank))), 'empty', escape(blank))
  assert.equal(replyFault(reply({ type: 'thinking', thinking: 'hm' })), 'thinking-only')
  assert.equal(replyFault(reply(text('<think>hm</think>\n'))), 'thinking-only')
  assert.equal(replyFault(reply(text('<think>hm and no end'))), 'thinking-only')
  assert.equal(replyFault(reply(text('.'))), undefined)
  assert.equal(replyFault(reply({ type: 'toolCall', id: '1', name: 'read', arguments: {} })), undefined)
})

test('thinking aloud is taken off the front only', () => {
  assert.equal(withoutThinking('<think>a\nb</think>\nAnswer <think>x</think>'), '\nAnswer <think>x</think>')
  assert.equal(withoutThinking('Use the <think> tag.'), 'Use the <think> tag.')
})

function byFour(text: string): number {
  return text.length / 4
}

test('tokens are estimated by script, within a fifth of known counts', () => {
  const table: [string, number][] = [
    ['The quick brown fox jumps over the lazy dog, and the dog does not mind at all. '.repeat(10), 190],
    ['今天的新闻由编辑部整理并附上来源链接。'.repeat(20), 280],
    ['', 0],
  ]
  for (const [text, tokens] of table) {
    const estimate = estimateTokens(text)
    assert.ok(
      estimate >= tokens * 0.8 && estimate <= tokens * 1.3,
      `${estimate} of ${tokens}: ${text.slice(0, 20)}`,
    )
  }
  assert.ok(
    estimateTokens('收集证据'.repeat(100)) > 2.5 * byFour('收集证据'.repeat(100)),
    'characters over four would be far too low',
  )
  assert.ok(
    estimateTokens('{"a":[1,2,3],"b":{"c":4.5}}'.repeat(50)) >
      byFour('{"a":[1,2,3],"b":{"c":4.5}}'.repeat(50)),
  )
  assert.ok(estimateTokens('🦞'.repeat(100)) >= 100)
  assert.equal(estimateTokens('a'), 1)
})

test('the sum of usage has a cost only where each part with tokens has one', () => {
  const usage = { input: 1000, output: 100, cacheRead: 500, cacheWrite: 0, totalTokens: 1600 }
  const priced = pricedUsage(usage, { in: 2, out: 10, cacheRead: 1 })
  assert.equal(priced.cost?.total, (1000 * 2 + 100 * 10 + 500 * 1) / 1e6)
  assert.equal(pricedUsage(usage, undefined).cost, undefined)
  assert.equal(addUsage(priced, usage).cost, undefined)
  assert.equal(addUsage(priced, noUsage).cost?.total, priced.cost?.total)
  assert.equal(addUsage(priced, priced).cost?.total, (priced.cost?.total ?? 0) * 2)
  assert.equal(addUsage(priced, usage).totalTokens, 3200)
})

test('half an emoji becomes a replacement character, a whole one stays', () => {
  assert.equal(wellFormed('a\ud83e b\udd9e c🦞'), 'a\ufffd b\ufffd c🦞')
})
