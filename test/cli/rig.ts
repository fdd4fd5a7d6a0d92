import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { TestContext } from 'node:test'
import { repoDir } from '../shared.ts'

/** The built command; CLAW_MAIN names another build of it. */
export const main = process.env['CLAW_MAIN'] ?? join(repoDir, 'dist', 'main.js')

/** Ten minutes after the slot of the morning digest, on the day of the samples. */
export const now = '2026-11-28T00:40:00Z'

export interface Call {
  cwd?: string
  /** On top of PATH, HOME and CLAW_NOW; undefined takes one away. */
  env?: Record<string, string | undefined>
  /** For stdin; without it stdin is a pipe that stays open and silent. */
  input?: string
  /** Sees the process as soon as there is one. */
  onStart?: (child: ChildProcess) => void
}

export interface Said {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

/** One command line in an environment of its own. */
export async function claw(argv: readonly string[], call: Call = {}): Promise<Said> {
  return said(process.execPath, [main, ...argv], call)
}

/** Any program in the same environment. */
export async function said(program: string, argv: readonly string[], call: Call = {}): Promise<Said> {
  const child = spawn(program, argv, {
    cwd: call.cwd ?? tmpdir(),
    env: environment(call.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {})
  if (call.input !== undefined) child.stdin.end(call.input)
  call.onStart?.(child)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(resolve =>
    child.once('close', (...end) => resolve(end)),
  )
  child.stdin.destroy()
  return { code, signal, out, err }
}

/** The same, in a workspace; `[0]` of the answer is the one JSON document of `--json`. */
export async function clawJson<T = Record<string, unknown>>(
  argv: readonly string[],
  call: Call = {},
): Promise<[T, Said]> {
  const answer = await claw([...argv, '--json'], call)
  try {
    return [JSON.parse(answer.out) as T, answer]
  } catch {
    throw new Error(
      `no single JSON document from ${argv.join(' ')}: ${answer.out.slice(0, 200)}\n${answer.err}`,
    )
  }
}

function environment(given: Call['env'] = {}): Record<string, string> {
  const all = { PATH: process.env['PATH'], HOME: tmpdir(), CLAW_NOW: now, ...given }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
}

let template: Promise<string> | undefined

/** What `claw init` made, once for a test file. */
async function initialised(): Promise<string> {
  const root = join(mkdtempSync(join(tmpdir(), 'claw-cli-template-')), 'team')
  process.once('exit', () => rmSync(dirname(root), { recursive: true, force: true }))
  const { code, err } = await claw(['init', root, '--quiet'])
  if (code !== 0) throw new Error(`claw init failed, is dist/ built? ${err}`)
  return root
}

/** A fresh workspace in a folder of its own, gone when the test ends. */
export async function workspace(t: TestContext): Promise<string> {
  template ??= initialised()
  const folder = mkdtempSync(join(tmpdir(), 'claw-cli-'))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const root = join(folder, 'team')
  cpSync(await template, root, { recursive: true })
  return root
}

export const digestJob = 'agents/ainews/jobs/morning-digest.md'
export const digest: readonly string[] = ['run', 'ainews', 'morning-digest']

export function readIn(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Changes a file as a person would; a text that is not there is a mistake of the test. */
export function edit(root: string, path: string, from: string, to: string): void {
  const before = readIn(root, path)
  if (!before.includes(from)) throw new Error(`${path} does not hold ${from}`)
  writeFileSync(
    join(root, path),
    before.replace(from, () => to),
  )
}

/** A list of sources with one entry, and the digest job pointed at it, as the README says. */
export function pointAt(root: string, url: string): void {
  writeFileSync(
    join(root, 'sources', 'mine.yaml'),
    `sources:\n  - {name: saved, url: "${url}", category: media}\n`,
  )
  edit(root, digestJob, 'sources/sample.yaml', 'sources/mine.yaml')
}

/** Path to hash of every file. `.claw/index` is derived and may be deleted at any time. */
export function treeOf(root: string, { withIndex = false } = {}): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(entry => join(entry.parentPath, entry.name).slice(root.length + 1)).sort()
  return Object.fromEntries(
    paths
      .filter(path => withIndex || !path.startsWith('.claw/index/'))
      .map(path => [
        path,
        createHash('sha256')
          .update(readFileSync(join(root, path)))
          .digest('hex'),
      ]),
  )
}

/** Lines of items that carry a link. */
export function linkedItems(text: string): string[] {
  return text.split('\n').filter(line => /^- .*\]\(/.test(line))
}
