import type { Terminal } from './terminal.ts'

/** Where there is no terminal to ask. */
const defaultColumns = 80

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'on'>

export interface Streams {
  stdout: Stream
  stderr: Stream
  stdin: AsyncIterable<Uint8Array | string>
}

/**
 * The streams are opened at first use. When the reader of a pipe has gone
 * (`claw runs | head`), the rest is dropped without a word and the work goes on.
 */
export function nodeTerminal(
  env: Readonly<Record<string, string | undefined>> = process.env,
  streams: Streams = process,
): Terminal {
  const out = quietWriter(() => streams.stdout)
  const err = quietWriter(() => streams.stderr)
  return {
    out,
    err,
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

function quietWriter(stream: () => Stream): (text: string) => void {
  let opened: Stream | undefined
  let isGone = false
  return text => {
    if (isGone) return
    opened ??= listened(stream(), () => {
      isGone = true
    })
    opened.write(text)
  }
}

function listened(stream: Stream, onGone: () => void): Stream {
  return stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    onGone()
  })
}
