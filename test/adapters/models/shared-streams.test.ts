import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import type { ModelApi } from '../../../src/agent/model.ts'
import { failureRules } from '../../../src/core/failure.ts'
import { sharedPath } from '../../shared.ts'
import { answering, ask, gist, linkTo, request } from './model-rig.ts'

const root = sharedPath('data', 'llm-streams')

test(
  'every recorded stream is an answer or a named refusal, and no call comes half',
  { skip: root === undefined },
  async t => {
    if (root === undefined) return
    const outcomes: string[] = []
    for (const name of readdirSync(root, { recursive: true }).map(String).sort()) {
      if (!/\.(sse|chunks\.txt)$/.test(name)) continue
      const text = readFileSync(join(root, name), 'utf8')
      const body = name.endsWith('.sse') ? text : asEvents(text)
      const { origin } = await answering(t, { body })
      const reply = await ask(request(linkTo(apiOf(name, text), origin)))
      if (reply.kind === 'refused') assert.ok(reply.why in failureRules)
      outcomes.push(`${basename(name)}: ${gist(reply).slice(0, 60)}`)
      if (/refusal/.test(name)) assert.equal(gist(reply), 'refusal', name)
      if (/incomplete/.test(name)) assert.equal(gist(reply), 'truncated', name)
    }
    assert.ok(outcomes.length > 20, outcomes.join('\n'))
  },
)

function asEvents(lines: string): string {
  return lines
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => `data: ${line}\n\n`)
    .join('')
}

function apiOf(name: string, text: string): ModelApi {
  if (/"type": ?"response\./.test(text)) return 'openai-responses'
  return /message_start|content_block/.test(text) || name.startsWith('anthropic/')
    ? 'anthropic-messages'
    : 'openai-chat'
}
