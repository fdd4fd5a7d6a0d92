type Env = Readonly<Record<string, string | undefined>>

/**
 * The proxy for `url` by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY (either
 * case; lower case wins, as in curl). Undefined means direct. This machine itself
 * is never asked for through a proxy.
 */
export function proxyFor(url: URL, env: Env): string | undefined {
  const named = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? ''
  const proxy = named(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || named('ALL_PROXY')
  if (proxy === '' || isLoopback(url.hostname) || isExempt(url, named('NO_PROXY'))) return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  )
}

/** `*`, `host`, `.suffix`, `*.suffix`, each with an optional `:port`; a bare host also covers its subdomains. */
function isExempt(url: URL, noProxy: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const host = url.hostname.toLowerCase()
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(entry => entry !== '')
    .some(entry => {
      const [, name = entry, wantedPort = port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (wantedPort !== port) return false
      if (name === '*') return true
      const suffix = name.replace(/^\*?\./, '')
      return host === suffix || host.endsWith(`.${suffix}`)
    })
}
