import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { main } from '../cli/rig.ts'
import { tempDir } from '../temp-dir.ts'
import { realCron, skipWithoutCron } from './real-cron.ts'

const skip = skipWithoutCron()

/** A team whose model is a file. */
function filesOf(root: string): Record<string, string> {
  const models = {
    providers: { file: { api: 'scripted', baseUrl: join(root, 'replies.json') } },
    chains: { routine: { models: ['file/one'], strict: true } },
  }
  return {
    'claw.yaml': JSON.stringify({ team: 'test', timezone: 'Asia/Kathmandu', models }),
    'replies.json': JSON.stringify([{ text: 'It beats.' }]),
    'agents/ann/SOUL.md': 'Be exact.\n',
    'agents/ann/jobs/beat.md': '---\nschedule: "* * * * *"\n---\nSay that it beats.\n',
  }
}

test(
  'a real cron fires an installed job within 70 s, in its bare environment and under an odd path',
  { skip },
  async t => {
    const folder = tempDir(t)
    const odd = join(folder, `it's my "team" 50%`)
    const root = join(odd, 'ws')
    for (const [path, text] of Object.entries(filesOf(root))) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const unescaped = join(folder, '50%naive')
    const table = `MAILTO=""\n* * * * * env > ${folder}/env\n* * * * * touch '${unescaped}'`
    const records = join(folder, '*', 'ws', 'shared-context', 'agent-runs', 'ann', '*.jsonl')
    const seconds = await realCron({
      folder,
      root,
      main,
      table: `${table}\n`,
      records,
      expected: '"job":"beat"',
      secondsAtMost: 70,
    })
    console.log(`# R17 fired after ${seconds} s`)
    const runs = readRuns(root)
    assert.equal(runs.length, 1, JSON.stringify(runs))
    assert.equal(runs[0]!.state, 'ok', JSON.stringify(runs[0]))
    assert.match(runs[0]!.slot, /:00\.000Z$/)
    const env = readFileSync(join(folder, 'env'), 'utf8').split('\n')
    assert.ok(env.includes('PATH=/usr/bin:/bin'), env.join(' '))
    assert.ok(!env.some(line => /^(LANG|CLAW_|NODE)/.test(line)), env.join(' '))
    assert.ok(!existsSync(unescaped), 'this cron does not cut a command at a percent sign')
    assert.equal(readFileSync(join(folder, 'uninstalled'), 'utf8'), `${table}\n`)
    assert.ok(readFileSync(join(folder, 'installed'), 'utf8').startsWith(`${table}\n# >>> claw ${root}\n`))
  },
)

interface Run {
  state: string
  slot: string
}

function readRuns(root: string): Run[] {
  const dir = join(root, 'shared-context', 'agent-runs', 'ann')
  const month = new Date().toISOString().slice(0, 7)
  return readFileSync(join(dir, `${month}.jsonl`), 'utf8')
    .split('\n')
    .filter(line => line.includes('"job":"beat"'))
    .map(line => JSON.parse(line) as Run)
}
