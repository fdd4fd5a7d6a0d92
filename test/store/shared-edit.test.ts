import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import { editShared, slugOf } from '../../src/store/shared-edit.ts'
import { unionMerge, withAdditions } from '../../src/store/shared-edit/union-merge.ts'

const path = '/ws/MEMORY.md'
const old = '# Memory\n\n## Mine\n\nline\n\n## Claw\n\nfact\n'
const start = (text = old) => simWorld({ files: { 'MEMORY.md': text } })
const addFact = (text: string) =>
  text.includes('- C1') ? text : text.replace('## Claw\n', '## Claw\n- C1\n')
const addMine = (text: string) => text.replace('## Mine\n', '## Mine\n- H1\n')
const edit = (world: SimWorld) => editShared(world, '/ws', path, addFact)

/** Runs `strike` once, just before the `nth` call with this name. */
function before(world: SimWorld, name: 'rename' | 'link' | 'create', strike: () => void): void {
  const { disk } = world
  const original = disk[name].bind(disk) as (...args: unknown[]) => never
  let isStruck = false
  Object.assign(disk, {
    [name]: (...args: unknown[]) => {
      if (!isStruck) {
        isStruck = true
        strike()
      }
      return original(...args)
    },
  })
}

/** A person saves the way vim and VS Code do, or in place. */
const saveByRename = (world: SimWorld, text: string) => {
  const { disk } = world.another()
  disk.create(`${path}~`, Buffer.from(text))
  disk.rename(`${path}~`, path)
}
const saveInPlace = (world: SimWorld, text: string) => {
  const { disk } = world.another()
  disk.truncate(path, 0)
  disk.append(path, Buffer.from(text))
}

test('an edit is written, and the replaced text is kept', async () => {
  const world = start()
  world.clock.advance(60_000)
  const outcome = await edit(world)
  assert.ok(outcome.kind === 'written')
  assert.equal(world.disk.text(path), addFact(old))
  assert.equal(world.disk.text(outcome.backup ?? ''), old)
  assert.match(outcome.backup ?? '', /^\/ws\/\.claw\/backups\/MEMORY\.md\/20260302T000100\.000Z-[0-9a-f]{8}$/)
  assert.deepEqual([outcome.before, outcome.text, outcome.merged], [old, addFact(old), false])
  assert.deepEqual(await edit(world), { kind: 'unchanged', text: addFact(old) })
  assert.equal(
    world.disk.paths('/ws').some(name => name.endsWith('.draft')),
    false,
  )
})

test('a file that is not there is made', async () => {
  const world = simWorld()
  const outcome = await editShared(world, '/ws', '/ws/notes/new.md', text => `${text}first\n`)
  assert.ok(outcome.kind === 'written' && outcome.backup === undefined && outcome.before === undefined)
  assert.equal(world.disk.text('/ws/notes/new.md'), 'first\n')
})

test('the mode of the file and its links stay', async () => {
  const world = start()
  world.disk.chmod(path, 0o644)
  world.disk.symlink('/ws/MEMORY.md', '/ws/link.md')
  await editShared(world, '/ws', '/ws/link.md', addFact)
  assert.equal(world.disk.stat(path)?.mode, 0o644)
  assert.equal(world.disk.lstat('/ws/link.md')?.kind, 'symlink')
  assert.equal(world.disk.text(path), addFact(old))
})

test('a path that leads out of the workspace is refused', async () => {
  const world = simWorld({ root: '/', files: { 'ws/x': '', 'else/secret.md': 'x' } })
  world.disk.symlink('/else/secret.md', '/ws/link.md')
  world.disk.symlink('/else', '/ws/folder')
  for (const outside of [
    '/ws/folder/new.md',
    '/ws/link.md',
    '/else/secret.md',
    '/ws',
    '/ws/../else/secret.md',
  ]) {
    await assert.rejects(
      editShared(world, '/ws', outside, () => 'y'),
      error => isClawError(error, 'policy-refused'),
      outside,
    )
  }
  assert.equal(world.disk.text('/else/secret.md'), 'x')
})

for (const [name, next] of Object.entries({ 'less than half': old.slice(0, 10), nothing: '' })) {
  test(`a new text of ${name} is refused unless it is allowed`, async () => {
    const world = start()
    await assert.rejects(
      editShared(world, '/ws', path, () => next),
      error => isClawError(error, 'policy-refused'),
    )
    assert.equal(world.disk.text(path), old)
    await editShared(world, '/ws', path, () => next, { allowShrink: true })
    assert.equal(world.disk.text(path), next)
  })
}

const saves = { 'by rename': saveByRename, 'in place': saveInPlace }
for (const [how, save] of Object.entries(saves)) {
  test(`a person who saves ${how} before the check loses nothing`, async () => {
    const world = start()
    before(world, 'create', () => save(world, addMine(old)))
    const outcome = await edit(world)
    assert.equal(world.disk.text(path), addMine(addFact(old)))
    assert.ok(outcome.kind === 'written' && outcome.merged)
  })

  test(`a person who saves ${how} right after the write, from the old text, loses nothing`, async () => {
    const world = start()
    const sleep = world.clock.sleep.bind(world.clock)
    let sleeps = 0
    world.clock.sleep = async ms => {
      // The first sleep settles the read, the second is the first look back.
      if (++sleeps === 2) save(world, addMine(old))
      await sleep(ms)
    }
    await edit(world)
    assert.equal(world.disk.text(path), addMine(addFact(old)))
  })
}

test('what an editor saves into the replaced file is brought over', async () => {
  const world = start()
  let late = ''
  before(world, 'rename', () => {
    late =
      world.disk.paths('/ws').find(name => name.endsWith('.draft') && world.disk.text(name) === old) ?? ''
  })
  const sleep = world.clock.sleep.bind(world.clock)
  let sleeps = 0
  world.clock.sleep = async ms => {
    await sleep(ms)
    if (++sleeps !== 2) return
    const { disk } = world.another()
    disk.truncate(late, 0)
    disk.append(late, Buffer.from(addMine(old)))
  }
  await edit(world)
  assert.equal(world.disk.text(path), addMine(addFact(old)))
})

test('a half-saved file is not taken for the truth', async () => {
  const world = start(old.slice(0, 20))
  const sleep = world.clock.sleep.bind(world.clock)
  world.clock.sleep = async ms => {
    await sleep(ms)
    world.clock.sleep = sleep
    world.another().disk.append(path, Buffer.from(old.slice(20)))
  }
  await edit(world)
  assert.equal(world.disk.text(path), addFact(old))
})

test('a file that never comes to rest is busy, and untouched', async () => {
  const world = start()
  const sleep = world.clock.sleep.bind(world.clock)
  world.clock.sleep = async ms => {
    await sleep(ms)
    world.another().disk.append(path, Buffer.from('x'))
  }
  await assert.rejects(edit(world), error => isClawError(error, 'busy'))
})

const sweep = {
  start,
  act: edit,
  between: (world: SimWorld, where: string) =>
    assert.ok([old, addFact(old)].includes(world.disk.text(path) ?? ''), where),
  check: (world: SimWorld, where: string) => {
    assert.equal(world.disk.text(path), addFact(old), where)
    const backups = world.disk.paths('/ws/.claw/backups').map(name => world.disk.text(name))
    assert.ok(backups.includes(old), `${where}: no backup`)
  },
}

/** Checks that an exit code of 75 is true. */
async function editTruly(world: SimWorld): Promise<void> {
  try {
    await edit(world)
  } catch (error) {
    if (isClawError(error, 'not-recorded', 'busy')) assert.equal(world.disk.text(path), old)
    throw error
  }
}

test('an edit is old or new after a crash or an error at every call', async () => {
  const swept = await sweepCrashes(sweep)
  assert.ok(swept.points >= 10, `${swept.points}`)
  await sweepErrors({ ...sweep, act: editTruly })
})

test('the sweep catches an edit in place', () =>
  assert.rejects(
    sweepCrashes({
      ...sweep,
      act: async ({ disk }) => {
        const text = addFact(disk.text(path) ?? '')
        disk.truncate(path, 0)
        disk.append(path, Buffer.from(text))
        disk.sync(path)
      },
    }),
  ))

const merges: [string, [string, string, string], string][] = [
  ['equal changes once', ['a\nb', 'a\nx\nb', 'a\nx\nb'], 'a\nx\nb'],
  ['changes in two places', ['a\nb\nc', 'A\nb\nc', 'a\nb\nC'], 'A\nb\nC'],
  ['two additions in one place', ['a\nb', 'a\nx\nb', 'a\ny\nb'], 'a\nx\ny\nb'],
  ['an addition on top of ours', ['a\nb', 'a\nx\nb', 'a\nx\ny\nb'], 'a\nx\ny\nb'],
  ['a change beside an addition', ['a\nb', 'A\nb', 'a\ny\nb'], 'A\ny\nb'],
  ['two changes of one line', ['a', 'x', 'y'], 'x\ny'],
  ['a removal and a change elsewhere', ['a\nb\nc\nd', 'a\nb\nd', 'A\nb\nc\nd'], 'A\nb\nd'],
  ['from nothing', ['', 'x\n', 'y\n'], 'x\ny\n'],
]
for (const [name, [base, ours, theirs], expected] of merges) {
  test(`a union merge keeps ${name}`, async () =>
    assert.equal(await unionMerge({ base, ours, theirs }), expected))
}

test('additions alone never remove', async () => {
  assert.equal(await withAdditions('a\nb\nc', 'a\nx\n'), 'a\nb\nc\nx\n')
})

test('slugs differ for different paths', () => {
  const names = ['a/b', 'a~b', 'a~~b', `${'x/'.repeat(200)}a`, `${'x/'.repeat(201)}a`]
  assert.equal(new Set(names.map(slugOf)).size, names.length)
  assert.ok(names.every(name => slugOf(name).length <= 120))
})
