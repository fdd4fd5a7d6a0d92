import { type DirectWrite, directWrite } from './node-terminal/direct-write.ts'
import type { Terminal } from './terminal.ts'

/** Where there is no terminal to ask. */
const defaultColumns = 80

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'on' | 'once'>

export interface Streams {
  stdout: Stream
  stderr: Stream
  stdin: AsyncIterable<Uint8Array | string>
  /** How to write past the stream of stdout (1) or stderr (2); undefined where that must not be. */
  direct?: (fd: 1 | 2) => DirectWrite | undefined
}

const ofProcess: Streams = {
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  get stdin() {
    return process.stdin
  },
  direct: directWrite,
}

/**
 * The streams are opened at first use. What cannot be written is dropped, and the
 * work goes on: a full disk below a log, or a terminal that hung up, must not end a
 * run. A reader of a pipe that has gone (`claw runs | head`) is no fault at all.
 */
export function nodeTerminal(
  env: Readonly<Record<string, string | undefined>> = process.env,
  streams: Streams = ofProcess,
): Terminal {
  let outFault: string | undefined
  const directOut = streams.direct?.(1)
  const directErr = streams.direct?.(2)
  const stdout = (): Stream | undefined => (directOut ? undefined : streams.stdout)
  const stderr = (): Stream | undefined => (directErr ? undefined : streams.stderr)
  const out = quietWriter({ direct: directOut, stream: () => streams.stdout }, code => {
    if (code !== 'EPIPE') outFault = code
  })
  const err = quietWriter({ direct: directErr, stream: () => streams.stderr }, () => {})
  return {
    out: out.write,
    err: err.write,
    get outFault() {
      return outFault
    },
    async flushed() {
      await Promise.all([out.flushed(), err.flushed()])
    },
    get outIsTty() {
      return stdout()?.isTTY === true
    },
    get errIsTty() {
      return stderr()?.isTTY === true
    },
    get columns() {
      return stdout()?.columns || stderr()?.columns || defaultColumns
    },
    get color() {
      return !env['NO_COLOR'] && env['TERM'] !== 'dumb' && stdout()?.isTTY === true
    },
    async readIn() {
      const chunks: Uint8Array[] = []
      for await (const chunk of streams.stdin) chunks.push(Buffer.from(chunk))
      return new TextDecoder().decode(Buffer.concat(chunks))
    },
  }
}

interface QuietWriter {
  write: (text: string) => void
  flushed: () => Promise<void>
}

interface Way {
  direct: DirectWrite | undefined
  stream: () => Stream
}

/** Once a stream is open, all goes through it, in order. */
function quietWriter({ direct, stream }: Way, onFault: (code: string) => void): QuietWriter {
  let opened: Stream | undefined
  let isGone = false
  const fail = (error: unknown): void => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code !== 'string') throw error
    if (!isGone) onFault(code)
    isGone = true
  }
  const tried = (body: () => void): void => {
    try {
      body()
    } catch (error) {
      fail(error)
    }
  }
  return {
    write(text) {
      if (isGone) return
      tried(() => {
        const left = opened ? text : (direct?.(text) ?? text)
        if (left.length === 0) return
        opened ??= stream().on('error', fail)
        opened.write(left)
      })
    },
    async flushed() {
      const target = opened
      // The callback comes after those of all earlier writes, also where they failed.
      if (target && !isGone) {
        await new Promise<void>(resolve => {
          target.once('error', () => resolve())
          tried(() => target.write('', () => resolve()))
        })
      }
    },
  }
}
