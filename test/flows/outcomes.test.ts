import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import type { AskModel } from '../../src/agent/model.ts'
import type { RunState } from '../../src/core/run.ts'
import {
  type RigOptions,
  command,
  errorLines,
  goodText,
  jobText,
  product,
  rig,
  root,
  warmUp,
  workspace,
} from './command-rig.ts'
import { assertSound, runsOf } from './sound.ts'

before(warmUp)

const onlyOne = '- [One](https://a.example/1) is out.\n'
const elsewhere = goodText.replace('a.example/2', 'b.example/9')
const job = (...frontmatter: string[]) => ({ 'agents/ann/jobs/list.md': jobText(frontmatter) })
const need = (then: string) => job(`needs: [{file: shared-context/intel/x.json, maxAge: 1h, else: ${then}}]`)
const spent = { '.claw/spend/2026-11-30.jsonl': '{"type":"spent","run":"r0","cost":5.2}\n' }

interface Row {
  name: string
  files?: Record<string, string>
  ask: NonNullable<RigOptions['ask']>
  state: RunState
  exitCode: number
  reason?: RegExp
  /** What arrives; default nothing. */
  sent?: string
  /** Of the text that was kept aside. */
  kept?: string
  degraded?: number
  model?: string | null
}

const nothingAtAll: AskModel = async () => ({
  kind: 'refused',
  why: 'empty',
  detail: 'no text and no tool call',
})
const answers = (...texts: string[]): ScriptedReply[] => texts.map(text => ({ text }))

const rows: readonly Row[] = [
  {
    name: 'a text that keeps its contract',
    ask: answers(goodText),
    state: 'ok',
    exitCode: 0,
    sent: goodText,
  },
  {
    name: 'a needed file that is missing, skip',
    files: need('skip'),
    ask: [],
    state: 'skipped',
    exitCode: 0,
    reason: /x\.json is not there/,
    model: null,
  },
  {
    name: 'a needed file that is missing, fail',
    files: need('fail'),
    ask: [],
    state: 'failed',
    exitCode: 1,
    reason: /x\.json is not there/,
    model: null,
  },
  {
    name: 'a needed file that is missing, degrade',
    files: need('degrade'),
    ask: answers(goodText),
    state: 'ok',
    exitCode: 0,
    sent: goodText,
    degraded: 1,
  },
  {
    name: 'a day whose money is used up',
    files: spent,
    ask: [],
    state: 'skipped',
    exitCode: 0,
    reason: /spend cap: 5\.20 of 5\.00 USD used on 2026-11-30/,
    model: null,
  },
  {
    name: 'silence where it is allowed',
    files: job('silent: true'),
    ask: answers('NO_REPLY'),
    state: 'silent',
    exitCode: 0,
  },
  {
    name: 'silence with marks around it',
    files: job('silent: true'),
    ask: answers(' **no_reply**.\n'),
    state: 'silent',
    exitCode: 0,
  },
  {
    name: 'silence where it is not allowed',
    ask: answers('NO_REPLY', 'NO_REPLY'),
    state: 'rejected',
    exitCode: 4,
    reason: /may not be silent/,
  },
  {
    name: 'silence beside prose',
    files: job('silent: true', 'produces: []'),
    ask: answers('Two things are new.\nNO_REPLY'),
    state: 'ok',
    exitCode: 0,
    sent: 'Two things are new.',
  },
  {
    name: 'silence handed in with finish',
    files: job('silent: true'),
    ask: [{ toolCalls: [{ name: 'finish', arguments: { text: 'NO_REPLY' } }] }],
    state: 'silent',
    exitCode: 0,
  },
  {
    name: 'the token over and over',
    files: job('silent: true'),
    ask: answers('NO_REPLY\nNO_REPLY'),
    state: 'silent',
    exitCode: 0,
  },
  {
    name: 'an empty reply, each time',
    ask: nothingAtAll,
    state: 'rejected',
    exitCode: 4,
    reason: /^empty: /,
    model: null,
  },
  {
    name: 'white space in place of a text',
    ask: answers(' \n\t', ' '),
    state: 'rejected',
    exitCode: 4,
    reason: /the text is empty/,
  },
  {
    name: 'white space, then a text',
    ask: answers(' \n\t', goodText),
    state: 'ok',
    exitCode: 0,
    sent: goodText,
  },
  {
    name: 'one item too few, then right',
    ask: answers(onlyOne, goodText),
    state: 'ok',
    exitCode: 0,
    sent: goodText,
  },
  {
    name: 'one item too few, twice',
    ask: answers(onlyOne, onlyOne),
    state: 'rejected',
    exitCode: 4,
    reason: /1/,
    kept: onlyOne,
  },
  {
    name: 'a link from nowhere, twice',
    ask: answers(elsewhere, elsewhere),
    state: 'rejected',
    exitCode: 4,
    reason: /b\.example\/9/,
    kept: elsewhere,
  },
  {
    name: 'a nudge that is answered with silence',
    ask: answers(onlyOne, 'NO_REPLY'),
    state: 'rejected',
    exitCode: 4,
    kept: onlyOne,
  },
  {
    name: 'a nudge that no model answers',
    ask: [...answers(onlyOne), { refused: { why: 'auth' } }, { refused: { why: 'auth' } }],
    state: 'rejected',
    exitCode: 4,
    kept: onlyOne,
  },
  {
    name: 'a tool that the job does not have',
    ask: [
      { toolCalls: [{ name: 'write', arguments: { path: 'SOUL.md', content: 'Obey.' } }] },
      ...answers(goodText),
    ],
    state: 'ok',
    exitCode: 0,
    reason: /tools denied: write/,
    sent: goodText,
  },
  {
    name: 'a model that takes longer than the job may',
    ask: [{ text: goodText, delayMs: 61_000 }],
    state: 'timed_out',
    exitCode: 3,
    reason: /time limit/,
    model: null,
  },
  {
    name: 'a correction that takes too long',
    ask: [{ text: onlyOne }, { text: goodText, delayMs: 61_000 }],
    state: 'rejected',
    exitCode: 4,
    reason: /then no answer within/,
    kept: onlyOne,
  },
  {
    name: 'no model that answers',
    ask: [{ refused: { why: 'billing' } }, { refused: { why: 'auth' } }],
    state: 'failed',
    exitCode: 1,
    reason: /^auth: second\/two/,
    model: null,
  },
  {
    name: 'a model that declines',
    ask: [{ refused: { why: 'refusal', detail: 'I cannot do that' } }],
    state: 'failed',
    exitCode: 1,
    reason: /^refusal: I cannot do that/,
    model: null,
  },
  {
    name: 'a model out of money, another that answers',
    ask: [{ refused: { why: 'billing' } }, { text: goodText }],
    state: 'ok',
    exitCode: 0,
    sent: goodText,
    model: 'second/two',
  },
]

for (const { name, files, ask, state, exitCode, reason, sent, kept, degraded = 0, model } of rows) {
  test(`${name}: ${state}, exit ${exitCode}, and the record says so`, async () => {
    const made = rig({ ask, ...(files && { files }) })
    const end = await command(made, 'run', 'ann', 'list')
    const [record, ...more] = runsOf(made)
    assert.deepEqual(more, [])
    assert.equal(record?.state, state, `${record?.reason} ${end.err}`)
    assert.equal(end.exitCode, exitCode, end.err)
    assert.equal(errorLines(end).length, exitCode === 0 ? 0 : 1, end.err)
    if (reason) assert.match(record.reason, reason)
    assert.deepEqual(
      made.otherSide.keyed.received.map(({ text }) => text.trimEnd()),
      sent === undefined ? [] : [sent.trimEnd()],
    )
    const { disk } = made.world
    assert.equal(
      record.keptAside === null ? undefined : disk.text(`${root}/${record.keptAside}`)?.trimEnd(),
      kept?.trimEnd(),
    )
    if (state !== 'ok') assert.equal(disk.text(product), undefined, 'an artifact of a run that was not ok')
    assert.equal(record.degraded.length, degraded)
    if (model !== undefined) assert.equal(record.model, model)
    assert.equal(disk.text(`${root}/agents/ann/SOUL.md`), workspace['agents/ann/SOUL.md'])
    if (!files?.['.claw/spend/2026-11-30.jsonl']) await assertSound(made, name)
  })
}
