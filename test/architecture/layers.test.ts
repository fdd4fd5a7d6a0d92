import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import test from 'node:test'
import { repoDir } from '../shared.ts'

/** DESIGN section 2: imports point down only. */
const mayImport: Record<string, readonly string[]> = {
  core: [],
  world: ['core'],
  store: ['core', 'world'],
  records: ['core', 'world', 'store', 'agent types'],
  agent: ['core', 'world'],
  adapters: ['core', 'world', 'agent types'],
  kits: ['core', 'world', 'agent types'],
  flows: ['core', 'world', 'store', 'records', 'agent', 'adapters', 'kits'],
  cli: ['core', 'world', 'flows'],
  sim: ['core', 'world'],
}

/** Of `agent`, what the layers below the flows may see: its contracts. */
const agentTypes = [
  'agent/model.ts',
  'agent/tool.ts',
  'agent/collector.ts',
  'agent/prompt.ts',
  'agent/tools/file-ops.ts',
]

interface Import {
  from: string
  to: string
  isType: boolean
}

function importsOf(file: string, source: string): Import[] {
  const found = source.matchAll(
    /(?:import|export)\s+(type\s)?[^'";]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g,
  )
  return [...found].map(match => ({
    from: file,
    to: normalize(join(dirname(file), (match[2] ?? match[3])!)),
    isType: match[1] !== undefined,
  }))
}

function isAllowed({ from, to }: Import): boolean {
  const layer = from.split('/')[0]!
  const target = to.split('/')[0]!
  if (!to.includes('/') || layer === target || mayImport[layer] === undefined)
    return mayImport[layer] === undefined || layer === target
  const allowed = mayImport[layer]
  return (
    allowed.includes(target) ||
    (target === 'agent' && allowed.includes('agent types') && agentTypes.includes(to))
  )
}

const sources = readdirSync(join(repoDir, 'src'), { recursive: true })
  .map(name => String(name))
  .filter(name => name.endsWith('.ts'))
  .map(name => ({ name, text: readFileSync(join(repoDir, 'src', name), 'utf8') }))

test('imports point down only', () => {
  const wrong = sources.flatMap(({ name, text }) => importsOf(name, text).filter(one => !isAllowed(one)))
  assert.deepEqual(wrong, [])
})

test('the rule catches an import that points up', () => {
  const [bad] = importsOf('core/slot.ts', `import { replaceFile } from '../store/atomic-file.ts'`)
  const [lazy] = importsOf('store/log.ts', `const flow = await import('../flows/run-job.ts')`)
  assert.equal(isAllowed(bad!), false)
  assert.equal(isAllowed(lazy!), false)
})

test('the outside is touched in src/world only, and core is pure', () => {
  const outside =
    /node:(fs|child_process|http|https|net|tls|os)\b|\bfetch\(|Date\.now\(|Math\.random\(|\bprocess\.(env|exit|stdout|stderr)/
  const impure = /node:|\bawait\b|new Date\(\)|Date\.now\(|Math\.random\(/
  const inWorld = sources.filter(
    ({ name, text }) =>
      outside.test(code(text)) && !/^(world\/|main\.ts|start\.ts|node-ports\.ts)/.test(name),
  )
  const inCore = sources.filter(({ name, text }) => name.startsWith('core/') && impure.test(code(text)))
  assert.deepEqual(
    [...inWorld, ...inCore].map(({ name }) => name),
    [],
  )
})

test('no file is named index.ts, and none is over 300 lines', () => {
  const wrong = sources.filter(
    ({ name, text }) => /(^|\/)index\.ts$/.test(name) || text.split('\n').length > 300,
  )
  assert.deepEqual(
    wrong.map(({ name }) => name),
    [],
  )
})

function code(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}
