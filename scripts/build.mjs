// Bundles src/ into dist/: the program in parts, those that are used together in one file, compiled ahead.
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { compileAhead } from './build/compile-ahead.mjs'
import { packs, packTexts } from './build/packs.mjs'
import { parts } from './build/parts.mjs'
import { quietOnLoad } from './build/quiet-on-load.mjs'

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: ['koffi', '@koromix/*'],
  define: { 'import.meta.url': 'ownUrl', 'import.meta.dirname': '__dirname' },
  logLevel: 'warning',
}

const program = await parts(common)
const eachAlone = new Map(program.map(({ name }) => [name, name]))
const used = {}
const trial = await written(eachAlone)
await compileAhead(trial, command => (used[command] = new Set(takeCaches(trial))))
rmSync(trial, { recursive: true })
const draft = await written(packs(program, used))
await compileAhead(draft, () => {})
// Put in place at the end, so that a command that runs meanwhile finds its files.
rmSync('dist', { recursive: true, force: true })
renameSync(draft, 'dist')

/** A folder with everything but compiled code; `fileOf` says where each part goes. */
async function written(fileOf) {
  const folder = `dist.${process.pid}`
  mkdirSync(folder)
  const alone = { ...common, outdir: folder, format: 'cjs' }
  await build({
    ...alone,
    entryPoints: ['src/main.ts'],
    banner: { js: '#!/usr/bin/env node' },
    define: { ...common.define, startFile: JSON.stringify(fileOf.get('start')) },
  })
  await build({ ...alone, entryPoints: ['src/idle-tick.ts'], plugins: [quietOnLoad] })
  for (const [file, text] of packTexts(program, fileOf)) writeFileSync(join(folder, `${file}.js`), text)
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n')
  // A linked command stays one after each build.
  chmodSync(join(folder, 'main.js'), 0o755)
  return folder
}

/** The names of the files that were loaded, without what they left. */
function takeCaches(folder) {
  const caches = readdirSync(folder).filter(name => name.endsWith('.cache'))
  for (const name of caches) rmSync(join(folder, name))
  return caches.map(name => name.slice(0, name.indexOf('.js.')))
}
