import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { editShared } from '../../src/store/shared-edit.ts'
import type { Disk } from '../../src/world/disk.ts'
import { nodeClock } from '../../src/world/node-clock.ts'
import { nodeDisk } from '../../src/world/node-disk.ts'
import { nodeHost } from '../../src/world/node-host.ts'
import { nodeLocks } from '../../src/world/node-locks.ts'
import { nodeRandom } from '../../src/world/node-random.ts'
import { tempDir } from '../temp-dir.ts'

const world = {
  disk: nodeDisk,
  locks: nodeLocks(),
  clock: nodeClock(),
  random: nodeRandom(Date.now),
  host: nodeHost(),
}
const count = 40
const filler = 'an old line kept as it was\n'.repeat(100)
const start = `# Memory\n\n## Mine\n\n${filler}\n## Claw\n\n${filler}\n<!-- end -->\n`
const person = fileURLToPath(new URL('person.ts', import.meta.url))

/** Adds one line, in a way of its own. */
type AddLine = (root: string, file: string, line: string) => Promise<unknown>

const addLine = (text: string, line: string) => text.replace('## Claw\n', `## Claw\n- ${line}\n`)

const byEditShared: AddLine = (root, file, line) =>
  editShared({ ...world, disk: watchful }, root, file, text => addLine(text, line), {
    settleMs: 8,
    confirmMs: 40,
  })

/** Nanoseconds on the clock that all processes share. */
interface Span {
  from: bigint
  to: bigint
}

/** The moments between claw's last look at a file and the rename that replaces it: no program can see a save in there. */
const blindSpans: Span[] = []
let lastLook = 0n

const watchful: Disk = {
  ...nodeDisk,
  lstat: path => {
    lastLook = process.hrtime.bigint()
    return nodeDisk.lstat(path)
  },
  rename: (from, to) => {
    nodeDisk.rename(from, to)
    blindSpans.push({ from: lastLook, to: process.hrtime.bigint() })
  },
}

const naively: AddLine = async (_root, file, line) => {
  const text = readFileSync(file, 'utf8')
  await sleep(10)
  writeFileSync(file, addLine(text, line))
}

interface Result {
  lostMine: number
  lostClaws: number
  doubled: number
  isWhole: boolean
}

/** A person and claw write one file at the same time, each `count` lines. */
async function together(
  t: TestContext,
  how: 'rename' | 'in-place',
  add: AddLine,
  endMs = 20_000,
): Promise<Result> {
  const root = tempDir(t)
  const file = join(root, 'MEMORY.md')
  writeFileSync(file, start)
  const argv = ['--import', 'tsx', person, file, how, String(count), '60']
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const isOver = once(child, 'exit')
  while (!existsSync(`${file}.saved`)) await sleep(10)
  for (let number = 1; number <= count; number++) {
    await add(root, file, `C${number}`)
    await sleep(20 * Math.random())
  }
  await Promise.race([isOver, sleep(endMs)])
  return judge(readFileSync(file, 'utf8'), how === 'rename' ? unseenSaves(`${file}.saved`) : new Set())
}

/** The person's lines whose save fell into a blind span. */
function unseenSaves(path: string): Set<string> {
  const rows = readFileSync(path, 'utf8').trim().split('\n')
  const isBlind = (save: Span) => blindSpans.some(({ from, to }) => from <= save.to && save.from <= to)
  return new Set(
    rows.flatMap(row => {
      const [line = '', from = '0', to = '0'] = row.split(' ')
      return isBlind({ from: BigInt(from), to: BigInt(to) }) ? [line] : []
    }),
  )
}

function judge(text: string, unseen: ReadonlySet<string>): Result {
  const lines = text.split('\n')
  const times = (line: string) => lines.filter(found => found === line).length
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  return {
    lostMine: numbers.filter(number => times(`- H${number}`) === 0 && !unseen.has(`H${number}`)).length,
    lostClaws: numbers.filter(number => times(`- C${number}`) === 0).length,
    doubled: numbers.filter(number => times(`- H${number}`) > 1 || times(`- C${number}`) > 1).length,
    isWhole: times('an old line kept as it was') === 200 && text.endsWith('<!-- end -->\n'),
  }
}

for (const how of ['rename', 'in-place'] as const) {
  test(`a person who saves by ${how} while claw edits loses nothing that claw could have seen, nor does claw`, async t => {
    const result = await together(t, how, byEditShared)
    assert.deepEqual(result, { lostMine: 0, lostClaws: 0, doubled: 0, isWhole: true })
  })

  test(`the check catches an edit that reads, thinks and writes, against saves by ${how}`, async t => {
    const { lostMine, lostClaws, isWhole } = await together(t, how, naively, 1000)
    assert.ok(lostMine + lostClaws > 0 || !isWhole)
  })
}
