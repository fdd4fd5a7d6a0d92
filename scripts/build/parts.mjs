// The program in parts: what is always loaded together is one of them.
import { basename } from 'node:path'
import { Script } from 'node:vm'
import { build } from 'esbuild'
import { leaveOut } from './leave-out.mjs'

/**
 * Every part of `src/start.ts`, as `{name, package, code}`: `package` is the one it comes
 * from when no source of ours is in it, and `code` the body of a function that is given
 * `load` and returns the exports. `load("%name%", "name")` in it names another part; the file
 * that holds that part is put in place of the first word later.
 */
export async function parts(options) {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: ['src/start.ts'],
    outdir: 'dist',
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    plugins: [leaveOut],
    // The form of yaml that is one graph of modules bundles smaller.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
  })
  return outputFiles.map(({ path, text }) => {
    const name = basename(path, '.js')
    return { name, package: packageOf(metafile.outputs[`dist/${name}.js`]), code: asBody(name, text) }
  })
}

/** Undefined for what holds source of ours, or nothing but names of other parts. */
function packageOf({ inputs }) {
  // What is left out of a package has the package's name as its namespace.
  const names = Object.keys(inputs).map(path => /(?<=node_modules\/)[^/]+|^\w+(?=:)/.exec(path)?.[0])
  return names.includes(undefined) ? undefined : names.at(-1)
}

/*
 * Plain constants in place of imports and exports: esbuild's own CommonJS makes a
 * getter for each name, which is slower to set up and to call. What a part exports does
 * not change once the part has run: no module of ours exports a variable that is set later.
 */
function asBody(name, text) {
  const body = text
    .replace(
      /^import \{([^}]*)\} from "([^"]+)";$/gm,
      (_, names, from) => `const {${renamed(names)}} = ${loaded(from)};`,
    )
    .replace(
      /^import (?:\* as )?(\S+) from "([^"]+)";$/gm,
      (_, all, from) => `const ${all} = ${loaded(from)};`,
    )
    .replace(/^import "([^"]+)";$/gm, (_, from) => `${loaded(from)};`)
    .replace(/\bimport\("([^"]+)"\)/g, (_, from) => `Promise.resolve().then(() => ${loaded(from)})`)
    .replace(/^export default ([^\n]*);\s*$/m, (_, value) => `return { default: ${value} };`)
    .replace(
      /^export \{([^}]*)\};\s*$/m,
      (_, names) => `return {${names.replace(/(\S+) as (\w+)/g, '$2: $1')}};`,
    )
  assertScript(name, `(function (load) {${body}})`)
  return body
}

/** The names of an import, as those of a pattern. */
function renamed(names) {
  return names.replace(/(\S+) as (\S+?)(?=,|\s)/g, '$1: $2')
}

function loaded(from) {
  const part = /^\.\/(.+)\.js$/.exec(from)?.[1]
  return part ? `load("%${part}%", "${part}")` : `require("${from}")`
}

function assertScript(name, text) {
  try {
    return new Script(text)
  } catch (cause) {
    throw new Error(`${name} has an import or export of a form that is not known here`, { cause })
  }
}
