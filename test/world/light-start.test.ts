import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { build } from 'esbuild'
import { repoDir } from '../shared.ts'
import { tempDir } from '../temp-dir.ts'

/** What a start must not wait for: packages, and parts of Node that take milliseconds. */
const heavy = /^(execa|undici|koffi|node:child_process|node:crypto|node:net|node:http|node:tls|node:os)/

/** What the bundled program imports before its first line runs. */
async function loadedAtStart(folder: string, source: string): Promise<string[]> {
  const bundle = join(folder, 'start.mjs')
  await build({
    stdin: { contents: source, resolveDir: repoDir, loader: 'ts' },
    outdir: folder,
    entryNames: 'start',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  })
  return [...readFileSync(bundle, 'utf8').matchAll(/^import .*"(.+)";$/gm)].map(([, name = '']) => name)
}

const start = `import { nodeWorld } from './src/world/node-world.ts'
  nodeWorld({ http: { request: () => Promise.reject(new Error('none')) } })`

test('the real world loads nothing heavy before it is used', async t => {
  const loaded = await loadedAtStart(tempDir(t), start)
  assert.ok(loaded.includes('node:fs'))
  assert.deepEqual(
    loaded.filter(name => heavy.test(name)),
    [],
  )
})

test('a part that loads something heavy at once is caught', async t => {
  const loaded = await loadedAtStart(tempDir(t), `import { execa } from 'execa'\nvoid execa.length\n${start}`)
  assert.deepEqual(
    loaded.filter(name => heavy.test(name)),
    ['execa'],
  )
})
