import type { RequestListener } from 'node:http'
import type { TestContext } from 'node:test'
import { askModel } from '../../../src/adapters/models/ask-model.ts'
import type { Ask, ModelApi, ModelLink, Reply } from '../../../src/agent/model.ts'
import { VirtualClock } from '../../../src/sim/virtual-clock.ts'
import { nodeHttp } from '../../../src/world/node-http.ts'
import { localServer } from '../../local-server.ts'

export const ask = askModel({ http: nodeHttp({}), clock: new VirtualClock() })

export function linkTo(api: ModelApi, baseUrl: string, more: Partial<ModelLink> = {}): ModelLink {
  return {
    ref: `local/${api}`,
    provider: 'local',
    model: 'm-1',
    api,
    baseUrl,
    apiKey: 'key-s3cret',
    headers: {},
    window: 8192,
    maxOutput: 1000,
    price: { in: 1, out: 10, cacheRead: 0.1 },
    ...more,
  }
}

export function request(link: ModelLink, more: Partial<Ask> = {}): Ask {
  return {
    link,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'hi', timestamp: 1 }],
    tools: [],
    maxOutputTokens: 500,
    limits: { connectMs: 5000, idleMs: 5000, totalMs: 10_000 },
    ...more,
  }
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body: string | Uint8Array
  /** Sizes of the pieces in which the body goes out; default all at once. */
  pieceBytes?: number
}

interface SentItem {
  role?: string
  type?: string
  content: Record<string, unknown>[]
  tool_calls: unknown[]
  tool_name?: string
}

/** What the tests look at in the bodies of all the APIs. */
export interface SentBody {
  [field: string]: unknown
  messages: SentItem[]
  input: SentItem[]
  tools: { function: { name: string } }[]
}

export interface Sent {
  url: string
  headers: Record<string, unknown>
  body: SentBody
}

/** A real server that gives one answer to every request, and what it was asked. */
export async function answering(
  t: TestContext,
  { status = 200, headers = {}, body, pieceBytes }: Answer,
): Promise<{ origin: string; asked: Sent[] }> {
  const asked: Sent[] = []
  const listener: RequestListener = (incoming, response) => {
    const pieces: Buffer[] = []
    incoming.on('data', piece => pieces.push(piece))
    incoming.on('end', () => {
      asked.push({
        url: String(incoming.url),
        headers: incoming.headers,
        body: JSON.parse(Buffer.concat(pieces).toString()),
      })
      response.writeHead(status, { 'content-type': 'text/event-stream', ...headers })
      const bytes = Buffer.from(body)
      const step = pieceBytes ?? Math.max(1, bytes.length)
      for (let at = 0; at < bytes.length; at += step) response.write(bytes.subarray(at, at + step))
      response.end()
    })
  }
  return { origin: await localServer(t, listener), asked }
}

/** What a reply comes to, in one line: `text | calls`, or its class. */
export function gist(reply: Reply): string {
  if (reply.kind === 'refused') return reply.why
  const parts = reply.message.content.map(part => {
    if (part.type === 'text') return part.text
    return part.type === 'thinking' ? `(${part.thinking})` : `${part.name}${JSON.stringify(part.arguments)}`
  })
  return parts.join(' | ')
}
