import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { commandPath } from '../faults/bundle.ts'
import { repoDir } from '../shared.ts'
import { tempDir } from '../temp-dir.ts'

/** Parts of Node that cost a start milliseconds. */
const heavy = ['child_process', 'crypto', 'http', 'net', 'perf_hooks', 'stream', 'zlib']

/** Tells at the end of a process which of them it loaded, and which files of its program. */
const hook = `const fs = require('node:fs')
const read = fs.readFileSync
const files = []
const before = new Set(process.moduleLoadList)
fs.readFileSync = (path, ...more) => {
  if (/dist[/][^/]+[.]js$/.test(String(path))) files.push(require('node:path').basename(String(path)))
  return read(path, ...more)
}
process.on('exit', () => {
  const builtin = process.moduleLoadList.filter(name => !before.has(name)).map(name => name.split(' ')[1])
  fs.writeFileSync(process.env.SEEN, JSON.stringify({ builtin, files: [...new Set(files)] }))
})`

interface Seen {
  builtin: string[]
  files: string[]
}

function seenBy(t: TestContext, argv: readonly string[]): Seen {
  const dir = tempDir(t)
  const seen = join(dir, 'seen.json')
  writeFileSync(join(dir, 'hook.cjs'), hook)
  const { PATH, HOME } = process.env
  const options = { env: { PATH, HOME, SEEN: seen }, encoding: 'utf8' } as const
  const main = commandPath()
  const made = spawnSync(process.execPath, [main, 'init', join(dir, 'team')], options)
  assert.equal(made.status, 0, made.stderr)
  const command = [main, '-C', join(dir, 'team'), ...argv]
  const run = spawnSync(process.execPath, ['--require', join(dir, 'hook.cjs'), ...command], options)
  assert.equal(run.status, 0, run.stderr)
  return JSON.parse(readFileSync(seen, 'utf8')) as Seen
}

test('a look at the team loads no network and no cryptography of Node, and three files of its own', t => {
  const { builtin, files } = seenBy(t, ['status'])
  assert.deepEqual(
    heavy.filter(name => builtin.includes(name)),
    [],
  )
  assert.ok(files.length <= 3, files.join(', '))
})

test('a command that needs more is seen to load it', t => {
  assert.ok(seenBy(t, ['doctor']).builtin.includes('stream'))
})

test('each class of error lies in one file of the program, so that it is one class everywhere', () => {
  const dist = join(repoDir, 'dist')
  const texts = readdirSync(dist)
    // The idle tick ends or lets go before the program is loaded.
    .filter(name => name.endsWith('.js') && name !== 'idle-tick.js')
    .map(name => readFileSync(join(dist, name), 'utf8'))
  for (const name of ['ClawError', 'DecodeProblem', 'DiskError', 'HttpError']) {
    const found = texts.flatMap(
      text => text.match(new RegExp(`\\b(${name} = )?class ${name}\\b|\\b${name} = class\\b`, 'g')) ?? [],
    )
    assert.equal(found.length, 1, name)
  }
})

test('no module exports a variable that is set later: the bundle hands out what it holds when the module has run', () => {
  const sources = readdirSync(join(repoDir, 'src'), { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.ts'))
  const later = sources.filter(name =>
    /^export (let|var) /m.test(readFileSync(join(repoDir, 'src', name), 'utf8')),
  )
  assert.deepEqual(later, [])
})
