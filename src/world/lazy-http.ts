import type { Http } from './http.ts'

/** HTTP that is loaded with its first request: most commands make none. */
export function lazyHttp(env: Record<string, string | undefined>): Http {
  let loaded: Promise<Http> | undefined
  return {
    async request(request) {
      loaded ??= import('./node-http.ts').then(({ nodeHttp }) => nodeHttp(env))
      return (await loaded).request(request)
    },
  }
}
