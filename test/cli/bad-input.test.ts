import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { chmodSync } from 'node:fs'
import { claw, digest, digestJob, edit, type Said, treeOf, workspace } from './rig.ts'

interface Bad {
  name: string
  argv: readonly string[]
  /** What a person did to the workspace before. */
  spoil?: (root: string) => void
  says: RegExp
}

const change = (path: string, from: string, to: string) => (root: string) => edit(root, path, from, to)
const slot = [...digest, '--slot', 'auto']

const table: readonly Bad[] = [
  { name: 'an unknown command', argv: ['staus'], says: /unknown command 'staus'\n\(Did you mean status\?\)/ },
  {
    name: 'an unknown verb',
    argv: ['outbox', 'lst'],
    says: /unknown command 'lst'\n\(Did you mean list\?\)/,
  },
  { name: 'an unknown option', argv: ['status', '--agnet', 'zoe'], says: /unknown option '--agnet'/ },
  { name: 'an option without its value', argv: ['run', 'zoe', '-m'], says: /argument missing/ },
  { name: 'a word too many', argv: [...digest, 'now'], says: /too many arguments/ },
  { name: 'a missing agent', argv: ['run'], says: /missing required argument 'agent'/ },
  {
    name: 'an unknown agent',
    argv: ['run', 'ainew', '-m', 'hi'],
    says: /no agent ainew\n  did you mean ainews\?/,
  },
  {
    name: 'an unknown job',
    argv: ['run', 'ainews', 'morning-digst'],
    says: /no job ainews\/morning-digst\n  did you mean ainews\/morning-digest\?/,
  },
  {
    name: 'an agent that leads out of the workspace',
    argv: ['run', '../x', '-m', 'hi'],
    says: /no agent \.\.\/x/,
  },
  {
    name: 'a job that leads out of its folder',
    argv: ['run', 'ainews', '../../zoe/jobs/daily-note'],
    says: /no job ainews/,
  },
  {
    name: 'nothing to do',
    argv: ['run', 'zoe'],
    says: /nothing to do for zoe: name a job, or say something with -m/,
  },
  { name: 'an empty message', argv: ['run', 'zoe', '-m', ''], says: /the message is empty/ },
  { name: 'a blank message', argv: ['run', 'zoe', '-m', ' \n'], says: /the message is empty/ },
  {
    name: 'a slot that is no instant',
    argv: [...digest, '--slot', 'tomorrow'],
    says: /--slot must be auto, due or an ISO instant, not tomorrow/,
  },
  {
    name: 'a slot without a job',
    argv: ['run', 'zoe', '-m', 'hi', '--slot', 'auto'],
    says: /--slot needs a job/,
  },
  {
    name: 'a clock that is no instant',
    argv: ['status', '--now', 'yesterday'],
    says: /--now must be an ISO instant such as \S+, not yesterday/,
  },
  {
    name: 'a model that is no reference',
    argv: ['run', 'zoe', '-m', 'hi', '--model', 'nope'],
    says: /nope is no model; write provider\/model/,
  },
  {
    name: 'a model of an unknown provider',
    argv: ['run', 'zoe', '-m', 'hi', '--model', 'nope/m'],
    says: /no provider nope \(for nope\/m\)/,
  },
  {
    name: 'no workspace',
    argv: ['status', '-C', '/'],
    says: /no claw\.yaml there \(-C\)\n  make one with: claw init/,
  },
  { name: 'a file for a workspace', argv: ['status', '-C', process.execPath], says: /no claw\.yaml there/ },
  {
    name: 'an unknown template',
    argv: ['init', 'x', '--template', 'big'],
    says: /no template big\n  templates: team, solo/,
  },
  { name: 'an unknown shell', argv: ['completion', 'tcsh'], says: /no completion for tcsh/ },
  {
    name: 'a count that is none',
    argv: ['runs', '-n', '0'],
    says: /--limit must be a whole number from 1, not 0/,
  },
  {
    name: 'an unknown state',
    argv: ['runs', '--state', 'fialed'],
    says: /no state fialed\n  did you mean failed\?/,
  },
  { name: 'an unknown run', argv: ['runs', '20261128-003001-3f9a1c'], says: /no run 20261128/ },
  { name: 'an unknown delivery', argv: ['outbox', 'retry', '202611-00'], says: /no delivery 202611-00/ },
  {
    name: 'a misspelt key in claw.yaml',
    argv: slot,
    spoil: change('claw.yaml', '  rounds: 25', '  round: 25'),
    says: /claw\.yaml:\d+:3: unknown key `round` in `limits`; did you mean `rounds`\?/,
  },
  {
    name: 'a misspelt key in a job',
    argv: slot,
    spoil: change(digestJob, 'overlap: skip', 'overlp: skip'),
    says: /morning-digest\.md:9:1: unknown key `overlp`; did you mean `overlap`\?/,
  },
  {
    name: 'YAML that does not parse',
    argv: slot,
    spoil: change('claw.yaml', 'team: demo', 'team: [demo'),
    says: /claw\.yaml:\d+:\d+: /,
  },
  {
    name: 'a job whose YAML does not parse',
    argv: slot,
    spoil: change(digestJob, 'overlap: skip', 'overlap: {skip'),
    says: /morning-digest\.md:\d+:\d+: /,
  },
  {
    name: 'an empty claw.yaml',
    argv: slot,
    spoil: root => writeFileSync(join(root, 'claw.yaml'), ''),
    says: /claw\.yaml:1:1: /,
  },
  {
    name: 'a job without a prompt',
    argv: slot,
    spoil: root => writeFileSync(join(root, digestJob), '---\ntier: routine\n---\n\n'),
    says: /the prompt is empty/,
  },
  {
    name: 'frontmatter that is never closed',
    argv: slot,
    spoil: root => writeFileSync(join(root, digestJob), '---\ntier: routine\n'),
    says: /:1:1: the frontmatter is never closed/,
  },
  {
    name: 'a job without a slot',
    argv: slot,
    spoil: change(digestJob, 'schedule: "30 8 * * *"\n', ''),
    says: /has no schedule that was ever due/,
  },
  {
    name: 'a folder where a job should be',
    argv: slot,
    spoil: root => {
      rmSync(join(root, digestJob))
      mkdirSync(join(root, digestJob))
    },
    says: /cannot be read, the path is a folder \(EISDIR\)/,
  },
  {
    name: 'an unknown provider in a chain',
    argv: slot,
    spoil: change('claw.yaml', 'routine: []', 'routine: [opnai/m]'),
    says: /no provider opnai/,
  },
  {
    name: 'an unknown tool',
    argv: slot,
    spoil: change(digestJob, 'tools: [memory', 'tools: [memry'),
    says: /no tool memry\n  did you mean memory\?/,
  },
  {
    name: 'an unknown check',
    argv: slot,
    spoil: change(digestJob, 'minItems', 'minItms'),
    says: /check minItms: there is no such check, did you mean minItems\?/,
  },
  {
    name: 'a check with a wrong argument',
    argv: slot,
    spoil: change(digestJob, 'minItems: 18', 'minItems: many'),
    says: /check minItems: needs a number/,
  },
  {
    name: 'an unknown collector',
    argv: slot,
    spoil: change(digestJob, 'feeds.collect', 'feed.collect'),
    says: /no collector feed\.collect\n  did you mean feeds\.collect\?/,
  },
  {
    name: 'an unknown channel',
    argv: slot,
    spoil: change(digestJob, 'to: ainews', 'to: ainew'),
    says: /no channel ainew\n  did you mean ainews\?/,
  },
  {
    name: 'a channel whose secret is not set',
    argv: slot,
    spoil: change(
      'claw.yaml',
      'ainews: {type: file, path: vault/ainews}',
      'ainews: {type: discord-webhook, url: "${NOT_SET}"}',
    ),
    says: /channels\.ainews: \$\{NOT_SET\} is not set\n  export NOT_SET=/,
  },
  {
    name: 'a model whose secret is not set, named for this run',
    argv: ['run', 'zoe', '-m', 'hi', '--model', 'mock/m'],
    spoil: change(
      'claw.yaml',
      '  providers:\n',
      '  providers:\n    mock: {api: openai-chat, baseUrl: "http://127.0.0.1:9", apiKey: "${NOT_SET}"}\n',
    ),
    says: /models\.providers\.mock: \$\{NOT_SET\} is not set/,
  },
]

/** What any refusal must be: exit 2, nothing on stdout, a line and at most a hint on stderr. */
function problemsOf({ code, out, err }: Said): string[] {
  return [
    ...(code === 2 ? [] : [`exit ${code}`]),
    ...(out === '' ? [] : [`said on stdout: ${out}`]),
    ...(err.startsWith('claw: ') ? [] : ['does not begin with its name']),
    ...(err.trimEnd().split('\n').length <= 2 ? [] : ['is more than a line and a hint']),
    ...(/\bat .*:\d+:\d+\)?$/m.test(err) ? ['has a stack trace'] : []),
  ]
}

for (const { name, argv, spoil, says } of table) {
  test(`${name} gets one clear line and exit 2, and nothing is written`, async t => {
    const root = await workspace(t)
    spoil?.(root)
    const before = treeOf(root)
    const answer = await claw(argv, { cwd: root })
    assert.match(answer.err, says)
    assert.deepEqual(problemsOf(answer), [], answer.err)
    assert.deepEqual(treeOf(root), before)
  })
}

test('doctor finds in the files what a run would refuse', async t => {
  const root = await workspace(t)
  const inFiles = ['tool', 'check', 'collector', 'channel'].map(name => `an unknown ${name}`)
  for (const { name, spoil } of table) if (inFiles.includes(name)) spoil?.(root)
  const { code, out } = await claw(['doctor'], { cwd: root })
  assert.equal(code, 1)
  for (const what of ['no tool memry', 'check minItms', 'no collector feed.collect', 'no channel ainew'])
    assert.ok(out.includes(what), `${what} in ${out}`)
})

test('what judges a refusal sees a wrong one', () => {
  const stack = 'claw: this is a bug\nError: x\n    at run (file:///a.js:1:2)\n'
  assert.deepEqual(problemsOf({ code: 1, signal: null, out: 'x', err: stack }).length, 4)
})

test('with --json wrong usage is a document as well', async () => {
  for (const argv of [
    ['--json', 'run'],
    ['statsu', '--json'],
    ['status', '--json', '--nope'],
  ]) {
    const answer = await claw(argv)
    assert.equal(answer.code, 2)
    const { error } = JSON.parse(answer.out) as { error: { code: string; exitCode: number } }
    assert.deepEqual([error.code, error.exitCode], ['usage', 2])
  }
})

test('a file that may not be read is named', async t => {
  if (process.getuid?.() === 0) return t.skip('root may read everything')
  const root = await workspace(t)
  chmodSync(join(root, digestJob), 0)
  const answer = await claw(digest, { cwd: root })
  assert.match(answer.err, /morning-digest\.md: cannot be read, permission denied \(EACCES\)/)
  assert.deepEqual(problemsOf(answer), [])
})

test('a list of sources that is not there ends the run with a record that says so', async t => {
  const root = await workspace(t)
  edit(root, digestJob, 'sources/sample.yaml', 'sources/smple.yaml')
  const answer = await claw(slot, { cwd: root })
  assert.deepEqual(problemsOf(answer), [], answer.err)
  const runs = await claw(['runs', '--json'], { cwd: root })
  assert.deepEqual(
    (JSON.parse(runs.out) as { state: string; reason: string }[]).map(({ state, reason }) => [state, reason]),
    [['failed', 'sources/smple.yaml: there is no such list of sources in the workspace']],
  )
  assert.equal((await claw(slot, { cwd: root })).code, 0, 'and the slot counts as run')
})

test('a link of a chain whose key is not set is passed over and named', async t => {
  const root = await workspace(t)
  edit(
    root,
    'claw.yaml',
    '  providers:\n',
    '  providers:\n    mock: {api: openai-chat, baseUrl: "http://127.0.0.1:9", apiKey: "${NOT_SET}"}\n',
  )
  edit(root, 'claw.yaml', 'routine: []', 'routine: [mock/m]')
  const { code, err } = await claw([...digest, '--quiet'], { cwd: root })
  assert.equal(code, 0)
  assert.equal(err, 'warning: mock/m cannot be asked: models.providers.mock: ${NOT_SET} is not set\n')
})
