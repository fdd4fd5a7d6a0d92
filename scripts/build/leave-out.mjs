/*
 * What packages carry and a start never calls. In undici HTTP/2, the bodies of fetch, SOCKS,
 * and the parser for processors without SIMD; a plain HTTP/1.1 exchange needs none of
 * them, and without them Node compiles half as much before the first request.
 */
const unused =
  /undici[\\/]lib[\\/](dispatcher[\\/](client-h2|socks5-proxy-agent)|web[\\/]fetch[\\/]body|llhttp[\\/]llhttp-wasm)\.js$/

const absent = 'module.exports = () => { throw new Error("this part of undici is left out of the bundle") }'

/*
 * Modules of Node that a package loads for very little, by package and name. Loading them costs, on Node 20:
 * assert 3 ms, http 4 ms, child_process 3 ms.
 */
const small = {
  undici: {
    // It only calls assert(condition, message).
    assert: `class AssertionError extends Error {}
      module.exports = (condition, message) => {
        if (!condition) throw message instanceof Error ? message : new AssertionError(message ?? 'assertion failed')
      }
      module.exports.AssertionError = AssertionError`,
    // It reads the default limit of a header, and asks whether a body is a request of Node's server.
    http: 'module.exports = { maxHeaderSize: 16_384, IncomingMessage: class {} }',
  },
  commander: {
    // For subcommands that are programs of their own; ours are not.
    child_process: 'module.exports = {}',
  },
}

/** An esbuild plugin. */
export const leaveOut = {
  name: 'leave-out',
  setup(step) {
    step.onLoad({ filter: unused }, () => ({ contents: absent, loader: 'js' }))
    for (const [name, modules] of Object.entries(small)) {
      const inPackage = new RegExp(`[\\\\/]node_modules[\\\\/]${name}[\\\\/]`)
      const filter = new RegExp(`^node:(${Object.keys(modules).join('|')})$`)
      step.onResolve({ filter }, ({ path, importer }) =>
        inPackage.test(importer) ? { path: path.slice('node:'.length), namespace: name } : undefined,
      )
      step.onLoad({ filter: /./, namespace: name }, ({ path }) => ({ contents: modules[path], loader: 'js' }))
    }
  },
}
