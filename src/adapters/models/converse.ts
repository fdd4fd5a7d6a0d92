import type { Ask, ModelLink, Reply } from '../../agent/model.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import { wellFormed } from '../../core/well-formed.ts'
import type { Clock } from '../../world/clock.ts'
import { type Http, HttpError, type HttpResponse, readBodyText } from '../../world/http.ts'
import { AnswerDraft } from './answer-draft.ts'
import { classify, classifyHttp } from './classify.ts'
import { lines, sseData } from './event-stream.ts'
import { decodeProviderError } from './provider-error.ts'
import { retryAfterMs } from './retry-after.ts'
import { settled } from './settled.ts'

/** How one kind of API writes a request and reads an answer. */
export interface Dialect {
  /** Appended to the base URL, which loses a slash at its end. */
  path: (link: ModelLink) => string
  headers: (link: ModelLink) => Record<string, string>
  body: (ask: Ask) => Record<string, unknown>
  framing: 'events' | 'lines'
  /** One decoded event or line, or the whole of an answer that came as one JSON document. */
  read: (event: unknown, draft: AnswerDraft) => void
  /** A last look at what was understood, e.g. whether the server saw all of the prompt. */
  doubt?: (ask: Ask, draft: AnswerDraft) => void
}

export interface ModelWorld {
  http: Http
  clock: Clock
}

/** One request and its answer. Never rejects for what a provider or the network does. */
export async function converse(world: ModelWorld, dialect: Dialect, ask: Ask): Promise<Reply> {
  const draft = new AnswerDraft(ask.onText)
  try {
    const response = await world.http.request(requestFor(dialect, ask))
    if (response.status < 200 || response.status >= 300)
      return scrubbed(await refusedBy(response, world.clock), ask.link)
    await readAnswer(response, dialect, draft)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    // What broke after the end marker broke nothing.
    if (draft.finish === undefined) draft.fail(classifyHttp(error), error.message)
  }
  if (!draft.fault) dialect.doubt?.(ask, draft)
  return scrubbed(settled(draft, ask, world.clock.now()), ask.link)
}

function requestFor(dialect: Dialect, ask: Ask): Parameters<Http['request']>[0] {
  const { link, limits, signal } = ask
  return {
    method: 'POST',
    url: `${link.baseUrl.replace(/\/+$/, '')}${dialect.path(link)}`,
    headers: { 'content-type': 'application/json', ...dialect.headers(link), ...link.headers },
    body: JSON.stringify(dialect.body(ask), (_key, value: unknown) =>
      typeof value === 'string' ? wellFormed(value) : value,
    ),
    ...limits,
    ...(signal && { signal }),
  }
}

async function readAnswer(response: HttpResponse, dialect: Dialect, draft: AnswerDraft): Promise<void> {
  const type = (response.headers['content-type'] ?? '').toLowerCase()
  if (type.includes('html'))
    return draft.fail('format', 'a web page came in place of an answer; check the base URL')
  if (dialect.framing === 'events' && type.includes('json') && !type.includes('ndjson')) {
    return readEvent(await readBodyText(response), dialect, draft)
  }
  let events = 0
  for await (const text of dialect.framing === 'events' ? sseData(response.body) : lines(response.body)) {
    events += 1
    if (text.trim() === '[DONE]') {
      draft.finish ??= 'stop'
      break
    }
    readEvent(text, dialect, draft)
    if (draft.isClosed) break
  }
  if (events === 0 && type !== '' && !type.includes('event-stream') && !type.includes('json')) {
    draft.fail(
      'format',
      `an answer of type ${type.slice(0, 60)} came in place of a stream; check the base URL`,
    )
  }
}

function readEvent(text: string, dialect: Dialect, draft: AnswerDraft): void {
  const event = parsedJson(text)
  if (event === undefined)
    return draft.finish === undefined ? draft.fail('server', 'a piece of the answer is not JSON') : undefined
  const error = decodeProviderError(event)
  if (error) return draft.fail(classify({ error }), oneLine(error.message || error.code || error.type))
  return dialect.read(event, draft)
}

const errorBytes = 64 * 1024

async function refusedBy(response: HttpResponse, clock: Clock): Promise<Reply> {
  const { status, headers } = response
  const error = decodeProviderError(parsedJson(await beginning(response)))
  const waitMs = retryAfterMs(headers, clock.now())
  return {
    kind: 'refused',
    why: classify({ status, ...(error && { error }) }),
    detail: oneLine(error?.message || error?.code || `HTTP ${status}`),
    status,
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  }
}

/** A body that breaks off changes nothing about the status that came before it. */
async function beginning(response: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes > errorBytes) break
    }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

/** Some providers quote the key that they refuse. */
function scrubbed(reply: Reply, { apiKey }: ModelLink): Reply {
  if (reply.kind !== 'refused' || apiKey === undefined || apiKey.length < 6) return reply
  return { ...reply, detail: reply.detail.replaceAll(apiKey, '***') }
}
