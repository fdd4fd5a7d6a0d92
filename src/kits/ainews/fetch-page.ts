import { feedDate } from '../../core/feed-date.ts'
import type { Millis } from '../../core/millis.ts'
import { type Http, HttpError, type HttpResponse, readBody } from '../../world/http.ts'
import { tooLarge } from './local-source.ts'

export interface PageRequest {
  url: string
  headers?: Record<string, string>
  /** The whole exchange. */
  timeoutMs: number
  maxBytes: number
  signal: AbortSignal
}

export type Page =
  | {
      kind: 'answered'
      bytes: Uint8Array
      contentType: string
      /** After redirects. */
      url: string
      etag: string
      lastModified: string
    }
  | { kind: 'not-modified' }
  | {
      kind: 'failed'
      why: string
      /** For 429 and 503: how long the server asks to be left alone; undefined when it does not say. */
      busy?: { retryAfterMs: number | undefined }
    }

/** One GET. Never throws for what a server or network does. */
export async function fetchPage(http: Http, request: PageRequest, now: Millis): Promise<Page> {
  const { url, timeoutMs, maxBytes, signal } = request
  try {
    const response = await http.request({
      method: 'GET',
      url,
      headers: { 'user-agent': 'claw/0.1 (feed reader)', ...request.headers },
      connectMs: timeoutMs,
      idleMs: timeoutMs,
      totalMs: timeoutMs,
      maxRedirects: 5,
      maxBytes,
      signal,
    })
    return await pageOf(response, now)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { kind: 'failed', why: reasonOf(error, request) }
  }
}

async function pageOf(response: HttpResponse, now: Millis): Promise<Page> {
  const { status, headers, url } = response
  if (status === 304) return { kind: 'not-modified' }
  if (status === 429 || status === 503) {
    const retryAfterMs = waitOf(headers['retry-after'] ?? '', now)
    const wish = retryAfterMs === undefined ? '' : `, asks to wait ${Math.ceil(retryAfterMs / 1000)} s`
    return { kind: 'failed', why: `HTTP ${status}${wish}`, busy: { retryAfterMs } }
  }
  if (status !== 200) return { kind: 'failed', why: `HTTP ${status}` }
  return {
    kind: 'answered',
    bytes: await readBody(response),
    contentType: headers['content-type'] ?? '',
    url,
    etag: headers['etag'] ?? '',
    lastModified: headers['last-modified'] ?? '',
  }
}

function waitOf(retryAfter: string, now: Millis): number | undefined {
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter) * 1000
  const at = feedDate(retryAfter)
  return at === undefined ? undefined : Math.max(0, at - now)
}

function reasonOf(error: HttpError, { timeoutMs, maxBytes }: PageRequest): string {
  switch (error.kind) {
    case 'idle':
    case 'total':
      return `no answer within ${timeoutMs / 1000} s`
    case 'too-large':
      return tooLarge(maxBytes)
    case 'aborted':
      return 'stopped'
    case 'connect':
    case 'network':
    case 'bad-url':
      return error.message.split('\n')[0]!.slice(0, 200)
  }
}
