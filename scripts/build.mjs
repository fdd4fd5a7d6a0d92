// Bundles src/ into dist/: one file of our own that is compiled ahead, and a file for each package that is loaded when it is used.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** What most commands never need has a file of its own: the name in `dist/`, and what is imported. */
const apart = {
  yaml: 'yaml',
  'gray-matter': 'gray-matter',
  feedsmith: 'feedsmith',
  execa: 'execa',
  'proper-lockfile': 'proper-lockfile',
  'node-diff3': 'node-diff3',
  croner: 'croner',
  'undici-client': 'undici/lib/dispatcher/client.js',
  'proxy-agent': './proxy-agent.ts',
}

/** Leaves `import('yaml')` and the like to `dist/yaml.js`. */
const keepApart = {
  name: 'keep-apart',
  setup(step) {
    for (const [name, imported] of Object.entries(apart)) {
      const filter = new RegExp(`^${imported.replaceAll('.', '\\.')}$`)
      step.onResolve({ filter }, () => ({ path: `./${name}.js`, external: true }))
    }
  },
}

/** Our modules do nothing when they are loaded, so that what is not called can be left out. */
const quietOnLoad = {
  name: 'quiet-on-load',
  setup(step) {
    step.onResolve({ filter: /^\.\.?\// }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'resolved' || from.kind === 'entry-point') return undefined
      const found = await step.resolve(path, { ...from, pluginData: 'resolved' })
      return { path: found.path, errors: found.errors, sideEffects: false }
    })
  },
}

/*
 * CommonJS, because Node opens it in a third of the time that a graph of modules
 * takes; one file, because each that is opened costs about a millisecond.
 */
const common = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: ['koffi', '@koromix/*'],
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'ownUrl', 'import.meta.dirname': '__dirname' },
  banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href" },
  logLevel: 'warning',
}

// Built beside and put in place at the end, so that a command that runs meanwhile finds its files.
const draft = `dist.${process.pid}`
await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outdir: draft,
  banner: { js: `#!/usr/bin/env node\n${common.banner.js}` },
})
await build({ ...common, entryPoints: ['src/idle-tick.ts'], outdir: draft, plugins: [quietOnLoad] })
await build({ ...common, entryPoints: ['src/start.ts'], outdir: draft, plugins: [keepApart, leaveOut] })
await Promise.all(
  Object.entries(apart).map(([name, imported]) =>
    build({
      ...common,
      stdin: { contents: `module.exports = require('${imported}')`, resolveDir: 'src/world/node-http' },
      outfile: `${draft}/${name}.js`,
      plugins: [leaveOut],
      // The form of yaml that is one graph of modules bundles smaller.
      alias: { yaml: './node_modules/yaml/browser/index.js' },
    }),
  ),
)
writeFileSync(`${draft}/package.json`, '{"type":"commonjs"}\n')
// A linked command stays one after each build.
chmodSync(`${draft}/main.js`, 0o755)
rmSync('dist', { recursive: true, force: true })
renameSync(draft, 'dist')
await compileAhead()

/** Runs one turn against a model on loopback and keeps the code that it compiled. */
async function compileAhead() {
  const folder = mkdtempSync(join(tmpdir(), 'claw-build-'))
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const piece = (delta, finish) => ({ choices: [{ index: 0, delta, finish_reason: finish }] })
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    for (const event of [piece({ content: 'ready' }, null), piece({}, 'stop'), { choices: [], usage }]) {
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    }
    response.end('data: [DONE]\n\n')
  })
  try {
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
    await claw(['init', folder, '--template', 'solo'])
    const provider = `{api: openai-chat, baseUrl: "http://127.0.0.1:${server.address().port}/v1"}`
    const models = `{providers: {build: ${provider}}, chains: {main: [build/build]}}`
    writeFileSync(join(folder, 'claw.yaml'), `team: build\ntimezone: UTC\nmodels: ${models}\n`)
    await claw(['-C', folder, 'run', 'zoe', '-m', 'ready?'])
    await claw(['-C', folder, 'run', 'zoe', '-m', 'ready?'], { CLAW_CODE_CACHE: 'write' })
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function claw(argv, env = {}) {
  const child = spawn(process.execPath, ['dist/main.js', ...argv], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  })
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  return new Promise((resolve, reject) => {
    child.on('close', code =>
      code === 0 ? resolve() : reject(new Error(`claw ${argv.join(' ')}: exit ${code}\n${said}`)),
    )
  })
}
