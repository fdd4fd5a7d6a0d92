// A person at an editor: saves lines H1..Hn into a file, by rename or in place. argv: file, how, count, pauseMs
// Each save goes to `<file>.saved` with the nanoseconds at which it began and ended, on the clock that all processes share.
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [, , file = '', how = 'rename', count = '0', pauseMs = '0'] = process.argv

for (let number = 1; number <= Number(count); number++) {
  const seen = await readUnchanged()
  const text = seen.replace('## Mine\n', `## Mine\n- H${number}\n`)
  const from = process.hrtime.bigint()
  if (how === 'rename') saveByRename(text)
  else await saveInPlace(text)
  appendFileSync(`${file}.saved`, `H${number} ${from} ${process.hrtime.bigint()}\n`)
  await sleep(Number(pauseMs) * (0.5 + Math.random()))
}

/** The text before and after a thought: an editor reloads what was changed meanwhile. */
async function readUnchanged(): Promise<string> {
  for (;;) {
    const text = await readWhole()
    await sleep(2)
    if (readFileSync(file, 'utf8') === text) return text
  }
}

async function readWhole(): Promise<string> {
  for (;;) {
    const before = statSync(file).mtimeMs
    const text = readFileSync(file, 'utf8')
    if (text.endsWith('<!-- end -->\n') && statSync(file).mtimeMs === before) return text
    await sleep(2)
  }
}

function saveByRename(text: string): void {
  writeFileSync(`${file}~`, text)
  renameSync(`${file}~`, file)
}

async function saveInPlace(text: string): Promise<void> {
  const bytes = Buffer.from(text)
  const fd = openSync(file, 'w')
  writeSync(fd, bytes.subarray(0, bytes.length >> 1))
  await sleep(2)
  writeSync(fd, bytes.subarray(bytes.length >> 1))
  closeSync(fd)
}
