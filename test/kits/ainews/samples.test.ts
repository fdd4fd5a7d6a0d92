import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { simWorld } from '../../../src/sim/sim-world.ts'
import { loadSourceList } from '../../../src/kits/ainews/load-list.ts'
import { nodeDisk } from '../../../src/world/node-disk.ts'
import { repoDir } from '../../shared.ts'
import { collector, contextOf } from './rig.ts'

const root = join(repoDir, 'workspace')
const context = () => contextOf({ ...simWorld({ now: '2031-01-01T00:00:00Z' }), disk: nodeDisk }, { root })

test('the samples make a full digest on any day, without a network', async () => {
  const { items, sources, notes } = await collector('feeds.collect')(
    { list: 'sources/sample.yaml' },
    context(),
  )
  assert.deepEqual(
    sources.filter(({ state }) => state !== 'ok'),
    [],
  )
  assert.ok(sources.length >= 6 && items.length >= 40, `${items.length} items`)
  assert.ok(items.filter(({ category }) => category === 'papers').length >= 8)
  assert.ok(items.filter(({ title }) => /\p{Script=Han}/u.test(title)).length >= 4)
  assert.deepEqual(notes, ['sample sources, as of 2026-11-28'])
})

test('the samples of the other collectors are whole', async () => {
  for (const [name, list] of [
    ['arxiv.search', 'arxiv'],
    ['github.trending', 'trending'],
    ['hn.top', 'hn'],
  ] as const) {
    const { items, sources } = await collector(name)({ list: `sources/sample-${list}.yaml` }, context())
    assert.ok(items.length >= 8, name)
    assert.ok(sources.every(({ state, name: source }) => state === 'ok' && source.startsWith('Sample')))
  }
})

test('samples are labelled, and link only to hosts that are kept for examples', async () => {
  const folder = join(root, 'sources/sample')
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8')
    assert.match(text, /sample/i, file)
    const hosts = [...text.matchAll(/https?:\/\/([^/"'<\s]+)/g)].map(match => match[1]!)
    const known = /(^|\.)example\.(com|net|org)$|^www\.w3\.org$|^purl\.org$|^arxiv\.org$|^jsonfeed\.org$/
    assert.deepEqual(
      hosts.filter(host => !known.test(host)),
      [],
      file,
    )
  }
})

test('the real list is well formed: https only, no address twice among the enabled, a reason for each that is not', async () => {
  const { sources } = await loadSourceList('sources/ai.yaml', context())
  const enabled = sources.filter(source => source.enabled)
  assert.ok(enabled.length >= 80)
  assert.equal(new Set(enabled.map(({ url }) => url)).size, enabled.length)
  assert.equal(new Set(sources.map(({ name }) => name)).size, sources.length)
  assert.deepEqual(
    sources.filter(({ url }) => !url.startsWith('https://')),
    [],
  )
  assert.deepEqual(
    sources.filter(source => source.enabled === (source.reason !== '')),
    [],
  )
})
