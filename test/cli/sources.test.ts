import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { linksOf } from '../../src/core/checks/links-of.ts'
import { repoDir, sharedPath } from '../shared.ts'
import { claw, clawJson, digest, linkedItems, pointAt, readIn, workspace } from './rig.ts'

const product = 'agents/ainews/knowledge/daily/2026-11-28/morning-digest.md'

/** Everything below a folder as text, in each way that an address could be written. */
function inputsText(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files
    .map(entry => readFileSync(join(entry.parentPath, entry.name)))
    .flatMap(bytes => [bytes.toString('latin1'), bytes.toString('utf8'), bytes.toString('utf16le')])
    .join('\n')
    .replaceAll('&amp;', '&')
    .replaceAll('\\/', '/')
}

/** As it stands in an input, or built from a base and a relative address that both do. */
function isInput(inputs: string, url: string): boolean {
  if (inputs.includes(url)) return true
  const { host, pathname, search } = new URL(url)
  const tail = decodeURI(pathname.split('/').findLast(part => part !== '') ?? '') + search
  return inputs.includes(host) && inputs.includes(tail)
}

function foreignLinks(inputs: string, text: string): string[] {
  return linksOf(text)
    .map(({ url }) => url)
    .filter(url => !isInput(inputs, url))
}

interface Evidence {
  evidence: { items: number; sourcesOk: number; sourcesFailed: number }
  state: string
  text: string
}

test('a folder of feed files beside the workspace, as the README says: links are the inputs’ own, unreadable ones are named', async t => {
  const root = await workspace(t)
  const folder = join(dirname(root), 'my-feeds')
  cpSync(join(repoDir, 'fixtures', 'feeds'), folder, { recursive: true })
  pointAt(root, 'file:../my-feeds')
  const { code, out, err } = await claw(digest, { cwd: root })
  assert.equal(code, 0, err)
  const text = readIn(root, product)
  assert.ok(linkedItems(text).length >= 18)
  const inputs = inputsText(folder)
  assert.deepEqual(foreignLinks(inputs, text), [])
  assert.deepEqual(foreignLinks(inputs, 'see https://elsewhere.example/x'), ['https://elsewhere.example/x'])
  for (const name of ['broken.json', 'empty.xml', 'page.xml', 'settings.json', 'subscriptions.xml']) {
    assert.ok(out.includes(name), `${name} is named in the report`)
    assert.match(err, new RegExp(`source failed: saved: ${name}`))
  }
})

test('a file that may not be read and a folder that is not there are named, and the run goes on', async t => {
  const root = await workspace(t)
  const folder = join(dirname(root), 'my-feeds')
  cpSync(join(repoDir, 'fixtures', 'feeds'), folder, { recursive: true })
  chmodSync(join(folder, 'list.rdf'), 0)
  pointAt(root, 'file:../my-feeds')
  const isRoot = process.getuid?.() === 0
  if (isRoot) console.log('# root reads every file, so the unreadable one is read')
  const [report] = await clawJson<Evidence>(digest, { cwd: root })
  assert.equal(report.text.includes('saved: list.rdf (cannot be read'), !isRoot)
  writeFileSync(
    join(root, 'sources/mine.yaml'),
    'sources:\n  - {name: gone, url: "file:../not-there"}\n  - {name: here, url: "file:sources/sample/labs.xml"}\n',
  )
  const [partly, { code }] = await clawJson<Evidence>(digest, { cwd: root })
  assert.equal(code, 4, 'six items do not keep a contract of eighteen')
  assert.equal(partly.state, 'rejected')
  assert.equal(partly.evidence.sourcesFailed, 1)
})

test('when no source can be read, that is a failure and not an empty success', async t => {
  const root = await workspace(t)
  pointAt(root, 'file:../nothing-here')
  const { code, err } = await claw([...digest, '--quiet'], { cwd: root })
  assert.equal(code, 1)
  assert.match(err, /^claw: failed: /m)
})

test('addresses in the text of a feed do not get into a report as if they were gathered', async t => {
  const root = await workspace(t)
  const folder = join(dirname(root), 'my-feeds')
  mkdirSync(folder)
  const items = Array.from({ length: 20 }, (_, index) => ({
    id: `${index}`,
    url: `https://news.example.com/${index}`,
    title: index === 0 ? 'https://trap.example/title' : `Agents at work ${index}`,
    content_text: `Read [this](https://trap.example/a_(b)) or www.trap.example/b and <https://trap.example/c> now.`,
  }))
  writeFileSync(
    join(folder, 'feed.json'),
    JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'x', items }),
  )
  pointAt(root, 'file:../my-feeds')
  const [report, { err }] = await clawJson<Evidence>(digest, { cwd: root })
  assert.equal(report.state, 'ok', err)
  assert.doesNotMatch(report.text, /trap\.example/)
})

test('hundreds of real feed files: one readable report, no link of its own, no crash', async t => {
  const feeds = sharedPath('data', 'feeds')
  if (!feeds) return t.skip('no real feeds beside the checkout')
  const root = await workspace(t)
  pointAt(root, `file:${feeds}`)
  const [report, { code, err }] = await clawJson<Evidence>(digest, { cwd: root })
  const { items, sourcesOk, sourcesFailed } = report.evidence
  console.log(`# ${sourcesOk} read, ${sourcesFailed} not, ${items} items, exit ${code}`)
  assert.equal(code, 0, err.slice(-500))
  assert.deepEqual(foreignLinks(inputsText(feeds), report.text), [])
  const unreachable = [...err.matchAll(/^source failed: (\S+ \S+) \(/gm)].map(match => match[1]!)
  assert.equal(unreachable.length, sourcesFailed)
  const [, named = ''] = report.text.split('Sources that could not be read:')
  const plain = named.replaceAll('\\', '')
  assert.deepEqual(
    unreachable.filter(name => !plain.includes(name)),
    [],
  )
  assert.ok(report.text.split('\n').length < 120, 'the report stays readable')
})
