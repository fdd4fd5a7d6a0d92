export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** DNS, TCP and TLS. */
  connectMs: number
  /** Silence between two pieces of the answer, and before its first one. */
  idleMs: number
  /** The whole exchange, redirects included. */
  totalMs: number
  /** Redirects to follow, default 0. */
  maxRedirects?: number
  /** More bytes of body than this end in a `too-large` error. Default 32 MiB. */
  maxBytes?: number
  signal?: AbortSignal
}

export interface HttpResponse {
  status: number
  /** Lower-case names; a repeated header is joined with ", ". */
  headers: Record<string, string>
  /** After redirects. */
  url: string
  /** Decoded of gzip, deflate and br. Throws `HttpError` while it is read. */
  body: AsyncIterable<Uint8Array>
}

export type HttpFailure = 'connect' | 'idle' | 'total' | 'network' | 'too-large' | 'aborted' | 'bad-url'

/** `sent` says whether the other side may have received the request: only where it is false is a retry free of doubt. */
export class HttpError extends Error {
  readonly kind: HttpFailure
  readonly sent: boolean

  constructor(kind: HttpFailure, message: string, sent: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'HttpError'
    this.kind = kind
    this.sent = sent
  }
}

export interface Http {
  /** Resolves for every status; rejects with `HttpError` only. */
  request(request: HttpRequest): Promise<HttpResponse>
}

/** The body as bytes. */
export async function readBody(response: HttpResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The body as UTF-8 with replacement. */
export async function readBodyText(response: HttpResponse): Promise<string> {
  return new TextDecoder().decode(await readBody(response))
}
