import { type Http, HttpError, type HttpRequest, type HttpResponse } from '../world/http.ts'

export interface ScriptedAnswer {
  /** Default 200. */
  status?: number
  /** Lower-case names. */
  headers?: Record<string, string>
  /** A list arrives piece by piece; an error in it breaks the body off. */
  body?: string | Uint8Array | readonly (string | Uint8Array | HttpError)[]
  /** After redirects; default that of the request. */
  url?: string
}

type Answer = ScriptedAnswer | HttpError

export type HttpScript = (request: HttpRequest) => Answer | Promise<Answer>

/** The network as a function. Keeps what was asked. */
export class ScriptHttp implements Http {
  readonly requests: HttpRequest[] = []
  readonly #script: HttpScript

  /** Without a script there is no network. */
  constructor(script: HttpScript = ({ url }) => new HttpError('connect', `no network: ${url}`, false)) {
    this.#script = script
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    if (request.signal?.aborted) throw new HttpError('aborted', `aborted: ${request.url}`, false)
    this.requests.push(request)
    const answer = await this.#script(request)
    if (answer instanceof HttpError) throw answer
    const { status = 200, headers = {}, body = '', url = request.url } = answer
    return { status, headers, url, body: pieces(typeof body === 'string' || isBytes(body) ? [body] : body) }
  }
}

async function* pieces(body: readonly (string | Uint8Array | HttpError)[]): AsyncIterable<Uint8Array> {
  for (const piece of body) {
    if (piece instanceof HttpError) throw piece
    if (piece.length > 0) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
  }
}

function isBytes(body: unknown): body is Uint8Array {
  return body instanceof Uint8Array
}
