import type { Transform } from 'node:stream'
import type { Exchange } from './exchange.ts'
import { HttpError } from '../http.ts'

/** The body without its content encodings. `maxBytes` counts after decoding: a small bomb is a large answer. */
export async function* decodedBody(answer: Exchange, maxBytes: number): AsyncIterable<Uint8Array> {
  const { origin, headers, body, close } = answer
  let sizeBytes = 0
  try {
    const encodings = (headers['content-encoding'] ?? '')
      .toLowerCase()
      .split(',')
      .map(name => name.trim())
    const wrapped = encodings.filter(name => name !== '' && name !== 'identity')
    for await (const chunk of wrapped.length === 0 ? body : inflated(body, wrapped.reverse(), origin)) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes)
        throw new HttpError('too-large', `${origin}: the answer has more than ${maxBytes} bytes`, true)
      yield chunk
    }
  } finally {
    close()
  }
}

async function* inflated(
  body: AsyncIterable<Uint8Array>,
  encodings: string[],
  origin: string,
): AsyncIterable<Uint8Array> {
  const [{ Readable, pipeline }, zlib] = await Promise.all([import('node:stream'), import('node:zlib')])
  // Sync flush hands out each piece as it comes: a compressed event stream stays a stream.
  const gentle = { flush: zlib.constants.Z_SYNC_FLUSH }
  const stage = (encoding: string, first: number): Transform => {
    if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip(gentle)
    if (encoding === 'br')
      return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH })
    // Some servers send deflate without the zlib header that the name stands for.
    if (encoding === 'deflate')
      return (first & 0x0f) === 8 ? zlib.createInflate(gentle) : zlib.createInflateRaw(gentle)
    throw new HttpError('network', `${origin}: cannot decode content-encoding ${encoding.slice(0, 40)}`, true)
  }
  const { first, whole } = await peeked(body)
  if (first === undefined) return
  let cause: unknown
  const stages = encodings.map((encoding, index) => stage(encoding, index === 0 ? first : 8))
  const last = stages.at(-1)
  pipeline([Readable.from(whole), ...stages], error => (cause = error))
  try {
    for await (const chunk of last ?? whole) yield chunk
  } catch (error) {
    const reason = cause ?? error
    throw reason instanceof HttpError
      ? reason
      : new HttpError('network', `${origin}: the compressed answer is damaged`, true, reason)
  }
}

/** The first byte, and all the bytes again. */
async function peeked(
  body: AsyncIterable<Uint8Array>,
): Promise<{ first: number | undefined; whole: AsyncIterable<Uint8Array> }> {
  const pieces = body[Symbol.asyncIterator]()
  let head = await pieces.next()
  while (head.done !== true && head.value.length === 0) head = await pieces.next()
  if (head.done === true) return { first: undefined, whole: body }
  const { value } = head
  async function* whole(): AsyncIterable<Uint8Array> {
    yield value
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value
  }
  return { first: value[0], whole: whole() }
}
