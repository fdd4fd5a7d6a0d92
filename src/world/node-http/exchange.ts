import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { HttpError, type HttpRequest } from '../http.ts'
import { ChunkQueue } from './chunk-queue.ts'
import { holdTierUp } from './wasm-tier.ts'
import { Watch } from './watch.ts'

export interface ExchangeRequest {
  request: HttpRequest
  /** Of this hop. */
  url: URL
  /** Lower-case names. */
  headers: Record<string, string>
  /** On the monotonic clock, in milliseconds. */
  deadline: number
  proxy: string | undefined
}

export interface Exchange {
  status: number
  headers: Record<string, string>
  /** Scheme, host and port: all of an address that is safe to print. */
  origin: string
  /** As it came, before content decoding. Throws `HttpError`. */
  body: AsyncIterable<Uint8Array>
  /** Drops the connection; repeating it is harmless. */
  close: () => void
}

/** One request and its answer, without redirects, over a connection of its own. */
export async function exchange(input: ExchangeRequest): Promise<Exchange> {
  const { request, url, deadline } = input
  if (request.signal?.aborted) throw new HttpError('aborted', `${url.origin}: aborted`, false)
  const dispatcher = await connection(input)
  const releaseTierUp = await holdTierUp()
  return new Promise((resolve, reject) => {
    const watch = new Watch(request, url.origin, deadline)
    const wire = { dispatcher, watch, origin: url.origin, reject, resolve, releaseTierUp }
    try {
      dispatcher.dispatch(dispatchOptions(input), answering(wire))
    } catch (error) {
      watch.fail('network', messageOf(error), error)
    }
  })
}

interface Wire {
  dispatcher: Dispatcher
  watch: Watch
  origin: string
  resolve: (exchange: Exchange) => void
  reject: (error: HttpError) => void
  releaseTierUp: () => void
}

/** Turns undici's callbacks into one promise, then a queue of chunks. */
function answering({
  dispatcher,
  watch,
  origin,
  resolve,
  reject,
  releaseTierUp,
}: Wire): Dispatcher.DispatchHandler {
  const queue = new ChunkQueue()
  const close = (): void => {
    watch.stop()
    releaseTierUp()
    queue.finish({ kind: 'ended' })
    dispatcher.destroy().catch(() => {})
  }
  watch.onFailure = error => {
    reject(error)
    queue.finish({ kind: 'failed', error })
    close()
  }
  return {
    onRequestStart() {
      releaseTierUp()
      watch.sent()
    },
    onResponseStart(controller, status, headers) {
      watch.heard()
      if (status < 200) return
      queue.onEmptied = () => {
        if (!controller.paused) return
        watch.heard()
        controller.resume()
      }
      resolve({ status, headers: flatHeaders(headers), origin, body: queue.read(), close })
    },
    onResponseData(controller, chunk) {
      queue.push(chunk)
      watch.heard()
      if (!queue.isFull) return
      watch.rest()
      controller.pause()
    },
    onResponseEnd() {
      close()
    },
    onResponseError(_controller, error) {
      watch.fail('network', messageOf(error), error)
    },
  }
}

async function connection({ request, url, proxy }: ExchangeRequest): Promise<Dispatcher> {
  // undici's own clocks tick in whole seconds, so that the limits are kept by `Watch`.
  const limits = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: request.connectMs + 2000 } }
  if (proxy !== undefined) {
    const { proxyAgent } = await import('./proxy-agent.ts')
    return proxyAgent(proxy, url.protocol === 'https:', limits)
  }
  const { default: Client } = await import('undici/lib/dispatcher/client.js')
  return new Client(url.origin, { ...limits, maxHeaderSize: 64 * 1024 })
}

function dispatchOptions({ request, url, headers }: ExchangeRequest): Dispatcher.DispatchOptions {
  const body = request.body === undefined ? null : Buffer.from(request.body)
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers,
    body,
    reset: true,
  }
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ')
  }
  return flat
}

/** Node's own words are kept where they are short; of several tried addresses the first speaks. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
