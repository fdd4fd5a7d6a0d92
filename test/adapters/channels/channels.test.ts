import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openChannel } from '../../../src/adapters/channels/open-channel.ts'
import { scriptedChannel } from '../../../src/adapters/channels/scripted.ts'
import { stdoutChannel } from '../../../src/adapters/channels/stdout.ts'
import { isClawError } from '../../../src/core/claw-error.ts'
import { simWorld } from '../../../src/sim/sim-world.ts'

test('stdout prints what cannot harm a terminal', async () => {
  const printed: string[] = []
  const channel = stdoutChannel('out', { out: text => printed.push(text) })
  assert.deepEqual(await channel.send('a\u001b[2J\n\n', 'k'), { kind: 'sent' })
  assert.deepEqual(printed, ['a\n'])
})

test('the scripted channel plays the other side, keyed ones take a key once', async () => {
  const channel = scriptedChannel({
    kind: 'keyed',
    script: count => (count === 0 ? { kind: 'lost', why: 'x', arrives: true } : { kind: 'sent' }),
  })
  assert.equal((await channel.send('a', 'k')).kind, 'lost')
  assert.equal((await channel.send('a', 'k')).kind, 'sent')
  assert.equal(channel.received.length, 1)
})

test('a channel is opened by its type, and says what it lacks', async () => {
  const world = simWorld()
  const place = { name: 'c', root: '/ws', url: undefined }
  const open = (
    type: 'stdout' | 'file' | 'discord-webhook' | 'scripted',
    more: { path?: string; url?: string } = {},
  ) => openChannel(world, { ...place, url: more.url, config: { type, url: more.url, path: more.path } })
  assert.equal((await open('stdout')).kind, 'blind')
  assert.equal((await open('file', { path: 'out' })).kind, 'keyed')
  assert.equal(
    (await open('discord-webhook', { url: 'https://discord.example/api/webhooks/1/x' })).kind,
    'blind',
  )
  for (const type of ['file', 'discord-webhook', 'scripted'] as const) {
    await assert.rejects(open(type), error => isClawError(error, 'config-invalid'))
  }
})

test('the script file says how each send ends and keeps what arrives', async () => {
  const outcomes = JSON.stringify([
    { kind: 'refused', why: '429', retryAfterMs: 5 },
    { kind: 'lost', arrives: true },
  ])
  const world = simWorld({ files: { 'ch/outcomes.json': outcomes } })
  const channel = await openChannel(world, {
    name: 'c',
    root: '/ws',
    url: undefined,
    config: { type: 'scripted', path: 'ch', url: undefined },
  })
  const kinds = [
    await channel.send('a', '1'),
    await channel.send('b', '2'),
    await channel.send('c', '3'),
  ].map(({ kind }) => kind)
  assert.deepEqual(kinds, ['refused', 'lost', 'sent'])
  const received = Buffer.from(world.disk.read('/ws/ch/received.jsonl') ?? []).toString()
  assert.equal(received, '{"key":"2","text":"b"}\n{"key":"3","text":"c"}\n')
})
