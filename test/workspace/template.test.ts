import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Config, decodeConfig, tiers } from '../../src/core/config.ts'
import { DecodeProblem } from '../../src/core/decode.ts'
import { jobKey } from '../../src/core/job.ts'
import { configKeysWithoutEffect, jobKeysWithoutEffect } from '../../src/flows/doctor/without-effect.ts'
import { loadHeartbeat } from '../../src/records/heartbeat.ts'
import { parseDoc } from '../../src/store/doc.ts'
import { parseYaml } from '../../src/store/yaml.ts'
import { nodeDisk } from '../../src/world/node-disk.ts'
import { agents, readTemplate, templateDir, templateFiles, templateJobs } from './template-files.ts'

const bootstrap = ['SOUL.md', 'AGENTS.md', 'IDENTITY.md', 'TOOLS.md', 'USER.md', 'MEMORY.md', 'HEARTBEAT.md']
const config = await decoded(readTemplate('claw.yaml'))

async function decoded(yaml: string): Promise<Config> {
  return decodeConfig((await parseYaml('claw.yaml', yaml)).value)
}

const example = /^(\s*)# ([\w./:-]+: \{.*\})$/

/** With the `#` taken off the example lines; one of a channel takes the place of the file channel above it. */
function withExamples(yaml: string): string {
  const lines = yaml.split('\n')
  const isReplaced = (index: number): boolean =>
    /type: file/.test(lines[index]!) && example.test(lines[index + 1] ?? '')
  return lines.flatMap((line, index) => (isReplaced(index) ? [] : [line.replace(example, '$1$2')])).join('\n')
}

/** What a careless hand might leave in a template. */
const forbidden: [what: string, pattern: RegExp][] = [
  ['a key', /\b(sk|xoxb|ghp|gho|AKIA)[-_A-Za-z0-9]{12,}/],
  ['a webhook', /https:\/\/(discord|discordapp)\.com\/api\/webhooks\/\d/],
  ['a value in .env.example', /^[A-Z_]+(KEY|WEBHOOK|TOKEN)=\S/m],
  ['a home path', /\/(home|Users)\/\w/],
  ['a mail address', /[\w.]+@[\w-]+\.\w/],
]

function faultsOf(text: string): string[] {
  return forbidden.filter(([, pattern]) => pattern.test(text)).map(([what]) => what)
}

test('claw.yaml decodes, needs no key and gives every tier a chain', () => {
  assert.equal(config.live, false)
  assert.deepEqual(config.models.providers, {})
  for (const tier of tiers) assert.deepEqual(config.models.chains[tier], { models: [], strict: false }, tier)
  assert.deepEqual(config.limits.spend, { day: 5, run: undefined })
  assert.equal(config.exec.security, 'allowlist')
})

test('a misspelt key of claw.yaml is refused', async () => {
  await assert.rejects(decoded(readTemplate('claw.yaml').replace('\nlimits:', '\nlimit:')), DecodeProblem)
})

test('the commented examples of claw.yaml decode too, and every secret in them is named in .env.example', async () => {
  const yaml = withExamples(readTemplate('claw.yaml'))
  const full = await decoded(yaml)
  assert.deepEqual(Object.keys(full.models.providers), ['openai', 'anthropic', 'kimi', 'qwen', 'ollama'])
  assert.equal(Object.keys(full.models.catalog).length, 2)
  assert.ok(Object.values(full.channels).every(channel => channel.type === 'discord-webhook'))
  const names = [...yaml.matchAll(/\$\{([A-Z_]+)\}/g)].map(match => match[1]!).sort()
  const listed = [...readTemplate('.env.example').matchAll(/^([A-Z_]+)=$/gm)].map(match => match[1]!).sort()
  assert.deepEqual(
    listed,
    [...new Set(names)].filter(name => name !== 'NAME'),
  )
})

test('every job names its zone, a channel and skills that exist, and begins its prompt with what must be', async () => {
  for (const job of await templateJobs()) {
    const key = jobKey(job)
    assert.ok(job.tz, `${key} names its zone`)
    if (job.deliver?.to) assert.ok(config.channels[job.deliver.to], `${key}: channel ${job.deliver.to}`)
    for (const skill of job.skills)
      assert.ok(existsSync(join(templateDir, 'skills', skill, 'SKILL.md')), `${key}: ${skill}`)
    if (job.tier === 'tool') continue
    assert.match(job.prompt, /^MUST/m, `${key} says what must be`)
    assert.ok(job.prompt.length < 3000, `${key}: ${job.prompt.length} characters`)
    assert.ok(job.gather.length > 0 || job.silent, `${key} gathers nothing, so it may say nothing`)
  }
})

test('the template sets no key that has no effect yet', async () => {
  assert.deepEqual(configKeysWithoutEffect(config), [])
  for (const job of await templateJobs()) assert.deepEqual(jobKeysWithoutEffect(job), [], jobKey(job))
})

test('a key that has no effect yet is named, the broken template', async () => {
  const full = await decoded(readTemplate('claw.yaml').replace('limits:', 'session: {}\nlimits:'))
  assert.deepEqual(configKeysWithoutEffect(full), ['session'])
  const [job] = await templateJobs()
  assert.deepEqual(jobKeysWithoutEffect({ ...job!, skills: ['deai'] }), ['skills'])
})

test('the morning digest asks for 18 linked items from the evidence', async () => {
  const job = (await templateJobs()).find(each => jobKey(each) === 'ainews/morning-digest')
  assert.deepEqual(job?.produces[0], {
    file: 'knowledge/daily/{date}/morning-digest.md',
    check: {
      minItems: 18,
      everyItemLinks: true,
      linksFromEvidence: true,
      sections: ['Top', 'Papers', 'Rewrite points'],
    },
  })
})

test('every HEARTBEAT.md has a checklist, and its tasks decode', async () => {
  for (const agent of agents) {
    const heartbeat = await loadHeartbeat(nodeDisk, templateDir, agent)
    assert.ok(heartbeat?.hasChecklist, agent)
  }
})

test('every SOUL.md is short and begins with its MUST rules', () => {
  for (const agent of agents) {
    const lines = readTemplate('agents', agent, 'SOUL.md').trimEnd().split('\n')
    assert.ok(lines.length <= 60, `${agent}: ${lines.length} lines`)
    const [title, heading, rule] = lines.filter(line => line !== '')
    assert.equal(title, `# ${agent}`)
    assert.match(heading!, /^## MUST/)
    assert.match(rule!, /^1\. MUST: /)
  }
})

test('every agent has its seven files, and each file shown to a model is under 4,000 characters', () => {
  const own = agents.flatMap(agent => bootstrap.map(name => join('agents', agent, name)))
  const team = ['AGENTS.md', 'USER.md', 'TOOLS.md', 'shared-context/PROJECT_STATUS.md']
  for (const path of [...own, ...team]) {
    const { length } = readTemplate(path)
    assert.ok(length > 0 && length < 4000, `${path}: ${length} characters`)
  }
})

test('every agent has a skill of its own', () => {
  const skills = templateFiles().filter(file => file.endsWith('SKILL.md'))
  for (const agent of agents)
    assert.ok(
      skills.some(path => path.startsWith(join('agents', agent, 'skills'))),
      agent,
    )
})

test('every skill names itself after its folder and says when to use it', async () => {
  for (const path of templateFiles().filter(file => file.endsWith('SKILL.md'))) {
    const { name, description } = (await parseDoc(path, readTemplate(path))).value
    assert.equal(name, path.split(/[\\/]/).at(-2))
    assert.match(String(description), /\bUse\b/)
  }
})

test('no file holds a key, a webhook, a home path or a mail address', () => {
  for (const path of templateFiles()) assert.deepEqual(faultsOf(readTemplate(path)), [], path)
})

test('the search for what must not be there finds it', () => {
  const planted = [
    'sk-abcdefghijklmnop',
    'https://discord.com/api/webhooks/1/x',
    'A_KEY=x',
    '/home/x/a',
    'a@b.c',
  ]
  assert.deepEqual(
    planted.map(text => faultsOf(text).length),
    [1, 1, 1, 1, 1],
  )
})

test('zoe stands alone: what she is names no other agent, so that the solo template is whole', () => {
  const texts = bootstrap.map(name => readTemplate('agents', 'zoe', name))
  for (const agent of agents.filter(name => name !== 'zoe'))
    assert.ok(
      texts.every(text => !new RegExp(`\\b${agent}\\b`).test(text)),
      agent,
    )
})
