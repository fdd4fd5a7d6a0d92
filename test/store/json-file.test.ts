import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import { jsonMistake } from '../../src/store/json-error.ts'
import { readJsonFile, replaceJson, updateJson } from '../../src/store/json-file.ts'
import { withLock } from '../../src/store/lock.ts'

const path = '/ws/state.json'
const withText = (text: string) => simWorld({ files: { 'state.json': text } })

const decode = (value: unknown): number => (value as { count: number }).count

const increment = (world: SimWorld) =>
  withLock(world, '/ws/lock', held =>
    updateJson(world, '/ws', held, path, decode, (whole, count = 0) => ({ ...whole, count: count + 1 })),
  )

test('a JSON file is absent, ok or damaged', () => {
  assert.deepEqual(readJsonFile(simWorld().disk, path), { state: 'absent' })
  assert.deepEqual(readJsonFile(withText('\ufeff{"a": 1}\r\n').disk, path), { state: 'ok', value: { a: 1 } })
  assert.equal(readJsonFile(withText('null').disk, path).state, 'ok')
  for (const text of ['', ' \n', '{"a":', '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n']) {
    assert.equal(readJsonFile(withText(text).disk, path).state, 'damaged', text)
  }
})

const mistakes: [string, number, number][] = [
  ['{"a": 1,}', 1, 9],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{"a": tru}', 1, 7],
  ['[1, 2', 1, 6],
  ['{} x', 1, 4],
  ['{a: 1}', 1, 2],
  ["{'a': 1}", 1, 2],
  ['"a\nb"', 1, 1],
  ['01', 1, 2],
  ['', 1, 1],
]
for (const [text, line, column] of mistakes) {
  test(`the mistake in ${JSON.stringify(text)} is placed`, () => {
    assert.throws(() => JSON.parse(text))
    assert.deepEqual(jsonMistake(text), { line, column })
  })
}

test('what is JSON has no mistake', () => {
  const texts = ['{"a": [1, -2.5e+3, "\\u00e4\\n", true, null, {}, []], "": {}}', ' 1 ', '"ä😀"', '[[[]]]']
  for (const text of texts) assert.equal(jsonMistake(text), undefined, text)
})

test('a written file is pretty and ends with a newline', () => {
  const world = simWorld()
  replaceJson(world, path, { a: [1] }, { durable: false })
  assert.equal(world.disk.text(path), '{\n  "a": [\n    1\n  ]\n}\n')
})

test('an update keeps unknown keys and begins with an empty object', async () => {
  const world = withText('{"count": 1, "theirs": {"x": 1}}')
  await increment(world)
  assert.deepEqual(JSON.parse(world.disk.text(path) ?? ''), { count: 2, theirs: { x: 1 } })
  const fresh = simWorld()
  await increment(fresh)
  assert.deepEqual(JSON.parse(fresh.disk.text(path) ?? ''), { count: 1 })
})

test('an update that changes nothing writes nothing', async () => {
  const world = withText('{"count": 1}')
  await withLock(world, '/ws/lock', held => updateJson(world, '/ws', held, path, decode, whole => whole))
  assert.equal(
    world.disk.calls.some(call => call.mutates),
    false,
  )
})

for (const damage of [
  '',
  '{"count": 1',
  '{"count": 1}x',
  '[1]',
  '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n',
]) {
  test(`after a failed read of ${JSON.stringify(damage)} nothing is written and the bytes are kept`, async () => {
    const world = withText(damage)
    await assert.rejects(
      increment(world),
      error => isClawError(error, 'corrupt') && /state\.json/.test(error.message),
    )
    assert.equal(world.disk.text(path), damage)
    const kept = world.disk.paths('/ws/.claw/quarantine').find(name => !name.endsWith('.why'))
    assert.equal(world.disk.text(kept ?? ''), damage)
  })
}

test('an update survives a crash or an error at every call', async () => {
  const sweep = {
    start: () => withText('{"count": 1, "theirs": 1}'),
    act: increment,
    between: (world: SimWorld, where: string) => {
      const read = readJsonFile(world.disk, path)
      assert.ok(read.state === 'ok' && [1, 2].includes(decode(read.value)), where)
    },
    acked: (world: SimWorld, where: string) => assert.match(world.disk.text(path) ?? '', /"count": 2/, where),
    check: (world: SimWorld, where: string) =>
      assert.match(world.disk.text(path) ?? '', /"theirs": 1/, where),
  }
  await sweepCrashes(sweep)
  await sweepErrors(sweep)
})
