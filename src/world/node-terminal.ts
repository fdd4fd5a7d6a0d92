import type { Terminal } from './terminal.ts'

/** Where there is no terminal to ask. */
const defaultColumns = 80

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'on' | 'once'>

export interface Streams {
  stdout: Stream
  stderr: Stream
  stdin: AsyncIterable<Uint8Array | string>
}

/**
 * The streams are opened at first use. What cannot be written is dropped, and the
 * work goes on: a full disk below a log, or a terminal that hung up, must not end a
 * run. A reader of a pipe that has gone (`claw runs | head`) is no fault at all.
 */
export function nodeTerminal(
  env: Readonly<Record<string, string | undefined>> = process.env,
  streams: Streams = process,
): Terminal {
  let outFault: string | undefined
  const out = quietWriter(
    () => streams.stdout,
    code => {
      if (code !== 'EPIPE') outFault = code
    },
  )
  const err = quietWriter(
    () => streams.stderr,
    () => {},
  )
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
      return streams.stdout.isTTY === true
    },
    get errIsTty() {
      return streams.stderr.isTTY === true
    },
    get columns() {
      return streams.stdout.columns || streams.stderr.columns || defaultColumns
    },
    get color() {
      return !env['NO_COLOR'] && env['TERM'] !== 'dumb' && streams.stdout.isTTY === true
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

function quietWriter(stream: () => Stream, onFault: (code: string) => void): QuietWriter {
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
        opened ??= stream().on('error', fail)
        opened.write(text)
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
