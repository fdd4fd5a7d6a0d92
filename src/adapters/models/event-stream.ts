import { createParser } from 'eventsource-parser'

/** The data of each server-sent event, as it comes. */
export async function* sseData(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const ready: string[] = []
  const parser = createParser({ onEvent: ({ data }) => ready.push(data) })
  for await (const text of decodedText(body)) {
    parser.feed(text)
    yield* ready.splice(0)
  }
  // The blank line behind the last event is often forgotten.
  parser.feed('\n\n')
  yield* ready.splice(0)
}

/** Lines that are not empty. */
export async function* lines(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let rest = ''
  for await (const text of decodedText(body)) {
    const pieces = (rest + text).split('\n')
    rest = pieces.pop() ?? ''
    for (const line of pieces) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

async function* decodedText(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}
