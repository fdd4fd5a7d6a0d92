import { decodedBody } from './node-http/decoded-body.ts'
import { type Exchange, exchange } from './node-http/exchange.ts'
import { type Http, HttpError, type HttpRequest, type HttpResponse } from './http.ts'
import { proxyFor } from './node-http/proxy-for.ts'
import { monotonicMs } from './node-clock.ts'

const maxBytesByDefault = 32 * 1024 * 1024

/**
 * HTTP/1.1 over the core of undici, one connection a request, closed after use, so
 * that nothing keeps the process alive. Read the body, or leave the loop over it:
 * a body that is never touched keeps its connection until `totalMs`.
 */
export function nodeHttp(env: Readonly<Record<string, string | undefined>>): Http {
  return { request: request => follow(request, env) }
}

async function follow(
  request: HttpRequest,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HttpResponse> {
  const deadline = monotonicMs() + request.totalMs
  let url = parsedUrl(request.url)
  let headers = withDefaults(request, url)
  for (let hop = 0; ; hop += 1) {
    const answer = await exchange({ request, url, headers, deadline, proxy: proxyFor(url, env) })
    const target = request.method === 'GET' ? redirectTarget(answer, url) : undefined
    if (target === undefined || (request.maxRedirects ?? 0) === 0) {
      return {
        status: answer.status,
        headers: answer.headers,
        url: url.href,
        body: decodedBody(answer, request.maxBytes ?? maxBytesByDefault),
      }
    }
    answer.close()
    if (hop >= (request.maxRedirects ?? 0)) {
      throw new HttpError('network', `${url.origin}: more than ${hop} redirects`, true)
    }
    headers = headersFor(headers, url, target)
    url = target
  }
}

const redirects = new Set([301, 302, 303, 307, 308])

function redirectTarget({ status, headers }: Exchange, from: URL): URL | undefined {
  const { location } = headers
  return redirects.has(status) && location !== undefined ? parsedUrl(location, from) : undefined
}

/** What proves who is asking stays with the origin it was meant for. */
function headersFor(headers: Record<string, string>, from: URL, to: URL): Record<string, string> {
  if (from.origin === to.origin) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !credentials.has(name)))
}

const credentials = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'cookie',
  'host',
])

function parsedUrl(text: string, from?: URL): URL {
  const url = URL.canParse(text, from?.href) ? new URL(text, from?.href) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const what = url ? `${url.protocol} is not http or https` : 'not an absolute http or https address'
  throw new HttpError(
    'bad-url',
    from ? `${from.origin} redirects to a bad address: ${what}` : what,
    from !== undefined,
  )
}

/** Lower-case names, userinfo as basic authorization, and what every request carries. */
function withDefaults({ method, headers = {} }: HttpRequest, url: URL): Record<string, string> {
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const plain: Record<string, string> = { 'user-agent': 'claw', accept: '*/*' }
  if (method === 'GET') plain['accept-encoding'] = 'gzip, deflate, br'
  if (url.username !== '') {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    plain['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
  }
  return { ...plain, ...own }
}
