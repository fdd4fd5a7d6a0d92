import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { repoDir } from '../shared.ts'

let folder: Promise<string> | undefined
let command: string | undefined

/** Path of a program of `workers/` as one file, so that its start costs little more than Node's own. */
export async function workerPath(name: string): Promise<string> {
  folder ??= bundle()
  return join(await folder, `${name}.js`)
}

/** The built command, in a copy: a build meanwhile does not change what is being tested. */
export function commandPath(): string {
  command ??= copyCommand()
  return command
}

function copyCommand(): string {
  const built = join(repoDir, 'dist')
  if (!existsSync(built)) throw new Error('dist/ is not there: run `npm run build` first')
  const dir = temporaryFolder('claw-command-')
  cpSync(built, join(dir, 'dist'), { recursive: true })
  for (const name of ['node_modules', 'workspace', 'package.json'])
    symlinkSync(join(repoDir, name), join(dir, name))
  return join(dir, 'dist', 'main.js')
}

function temporaryFolder(prefix: string): string {
  const dir = mkdtempSync(join(tmpdir(), prefix))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function bundle(): Promise<string> {
  const dir = temporaryFolder('claw-workers-')
  // The native lock is looked up from where the program lies.
  symlinkSync(join(repoDir, 'node_modules'), join(dir, 'node_modules'))
  await build({
    entryPoints: [join(repoDir, 'test', 'faults', 'workers', '*.ts')],
    outdir: dir,
    bundle: true,
    // A module in CommonJS starts quicker than the same as ESM.
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['koffi', '@koromix/*'],
    define: { 'import.meta.url': 'workers_url' },
    banner: { js: "const workers_url = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
  })
  return dir
}
