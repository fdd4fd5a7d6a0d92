import type * as Undici from 'undici'
import connect from 'undici/lib/api/api-connect.js'
import UndiciDispatcher from 'undici/lib/dispatcher/dispatcher.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'

// undici's own index does this for all of its API; a tunnel needs `connect` alone.
UndiciDispatcher.prototype.connect = connect

type Limits = Pick<Undici.ProxyAgent.Options, 'headersTimeout' | 'bodyTimeout' | 'connect'>

/** https through a CONNECT tunnel; http as a plain forward, since many proxies refuse tunnels to port 80. */
export function proxyAgent(proxy: string, isTunnel: boolean, limits: Limits): Undici.Dispatcher {
  return new ProxyAgent({ uri: proxy, proxyTunnel: isTunnel, ...limits })
}
