import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeTerminal, type Streams } from '../../src/world/node-terminal.ts'
import { directWrite } from '../../src/world/node-terminal/direct-write.ts'
import { tempDir } from '../temp-dir.ts'

class SlowStream extends EventEmitter {
  isTTY = true
  readonly #chunks: Uint8Array[] = []

  write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(Buffer.from(chunk))
    return true
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString()
  }
}

test('what a pipe does not take at once goes through the stream, and all that follows after it', () => {
  const stdout = new SlowStream()
  const taken: string[] = []
  const direct = (text: string): Uint8Array => {
    taken.push(text.slice(0, 3))
    return Buffer.from(text.slice(3))
  }
  const streams = { stdout, stderr: stdout, direct: (fd: number) => (fd === 1 ? direct : undefined) }
  const terminal = nodeTerminal({}, streams as unknown as Streams)
  terminal.out('one')
  assert.equal(stdout.text, '')
  terminal.out('two, three')
  terminal.out('four')
  assert.deepEqual(taken, ['one', 'two'])
  assert.equal(stdout.text, ', threefour')
  assert.equal(terminal.outIsTty, false)
})

test('a file and the null device are written past the streams; a descriptor that is closed is not', t => {
  const path = join(tempDir(t), 'out.txt')
  const fd = openSync(path, 'w')
  assert.equal(directWrite(fd)?.('heißt\n').length, 0)
  assert.equal(readFileSync(path, 'utf8'), 'heißt\n')
  closeSync(fd)
  assert.equal(directWrite(fd), undefined)
  const none = openSync('/dev/null', 'w')
  assert.equal(directWrite(none)?.('text').length, 0)
  closeSync(none)
})

test('a write that fails past the stream is the fault that stdout has', () => {
  const direct = (): Uint8Array => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  }
  const streams = { direct: () => direct } as unknown as Streams
  const terminal = nodeTerminal({}, streams)
  terminal.out('one')
  assert.equal(terminal.outFault, 'ENOSPC')
})
