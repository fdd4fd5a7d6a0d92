// Bundles src/main.ts into dist/ with lazily loaded chunks, so that start-up stays near Node's own.
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

/*
 * What undici carries and a plain HTTP/1.1 exchange never calls: HTTP/2, the bodies of
 * fetch, SOCKS, and the parser for processors without SIMD. Leaving them out halves
 * what Node compiles before the first request.
 */
const leaveOut = {
  name: 'leave-out',
  setup(step) {
    const unused =
      /undici[\\/]lib[\\/](dispatcher[\\/](client-h2|socks5-proxy-agent)|web[\\/]fetch[\\/]body|llhttp[\\/]llhttp-wasm)\.js$/
    step.onLoad({ filter: unused }, () => ({
      contents: 'module.exports = () => { throw new Error("this part of undici is left out of the bundle") }',
      loader: 'js',
    }))
    // It only calls assert(condition, message); the module behind it takes 3 ms to load.
    step.onResolve({ filter: /^node:assert$/ }, ({ importer }) =>
      /[\\/]undici[\\/]/.test(importer) ? { path: 'assert', namespace: 'small' } : undefined,
    )
    step.onLoad({ filter: /^assert$/, namespace: 'small' }, () => ({
      contents: `class AssertionError extends Error {}
        module.exports = (condition, message) => {
          if (!condition) throw message instanceof Error ? message : new AssertionError(message ?? 'assertion failed')
        }
        module.exports.AssertionError = AssertionError`,
      loader: 'js',
    }))
  },
}

// Packages in CommonJS ask for Node's own modules with `require`, which a module does not have.
const withRequire =
  "import { createRequire as claw_require } from 'node:module'; const require = claw_require(import.meta.url);"

// Built beside and put in place at the end, so that a command that runs meanwhile finds its chunks.
const draft = `dist.${process.pid}`
await build({
  entryPoints: { main: 'src/main.ts' },
  outdir: draft,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['koffi', '@koromix/*'],
  // The CommonJS form, which Node would take, has no named exports once it is bundled.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  chunkNames: 'chunks/[name]-[hash]',
  banner: { js: `#!/usr/bin/env node\n${withRequire}` },
  plugins: [leaveOut],
  logLevel: 'warning',
})
// A linked command stays one after each build.
chmodSync(`${draft}/main.js`, 0o755)
rmSync('dist', { recursive: true, force: true })
renameSync(draft, 'dist')
