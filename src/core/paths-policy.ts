export type PathRefusal =
  | 'empty'
  | 'too-long'
  | 'control-character'
  | 'invisible-character'
  | 'backslash'
  | 'absolute'
  | 'home'
  | 'parent'
  | 'secret'
  | 'protected'
  | 'ledger'
  | 'other-agent'
  | 'not-shared'
  | 'not-own'

/** `own`: the agent's folder (and, to read, the workspace); `shared`: below `shared-context/` only. */
export type PathScope = 'own' | 'shared'

export interface PathAsk {
  /** As the model gave it. */
  path: string
  action: 'read' | 'write'
  scope: PathScope
  agent: string
}

export type PathDecision =
  | {
      kind: 'allowed'
      /** Relative to the workspace, `/` between segments; the first that exists is meant, to write always the first. */
      candidates: readonly [string, ...string[]]
    }
  | PathRefused

export interface PathRefused {
  kind: 'refused'
  reason: PathRefusal
  why: string
}

const refusals: Readonly<Record<PathRefusal, string>> = {
  empty: 'the path is empty',
  'too-long': 'the path is too long (255 bytes a name, 1024 in all)',
  'control-character': 'the path holds a control character',
  'invisible-character': 'the path holds an invisible character',
  backslash: 'the path holds a backslash or a drive letter; use / between names',
  absolute: 'absolute paths are refused; give it relative to your folder or to the workspace',
  home: '~ is refused; give the path relative to your folder or to the workspace',
  parent: '.. is refused; give the path from your folder or from the workspace',
  secret: 'this holds secrets or machine state and is never shown to a model',
  protected: 'this file is protected: only a person changes it',
  ledger: 'this file belongs to the harness; it changes through the tools made for it only',
  'other-agent': 'an agent writes only inside its own folder',
  'not-shared': 'the path must be inside shared-context/',
  'not-own': 'write goes to your own folder; for shared-context/ use shared_write',
}

/** Names at the top of a workspace that no agent folder has: a path that begins so is meant from the workspace. */
const workspaceNames = new Set(['agents', 'shared-context', 'claw.yaml', 'ontology', 'vault', 'approvals'])

/** Below `shared-context/`: written by the harness alone. */
const ledgers = new Set([
  'agent-requests',
  'agent-runs',
  'agent-sessions',
  'job-status',
  'monitor-tasks',
  'status',
])

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001F\u007F-\u009F]/
const invisible =
  /\u034F|[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u
// oxlint-disable-next-line no-control-regex
const ascii = /^[\0-\u007F]*$/

/** What a path means and whether it may be touched; links are judged again by who follows them. */
export function decidePath(ask: PathAsk): PathDecision {
  const segments = splitPath(ask.path)
  if (!Array.isArray(segments)) return segments
  const candidates = candidatesOf(segments, ask)
  for (const candidate of candidates) {
    const no = decideRelative(candidate, ask)
    if (no) return no
  }
  const [first, ...others] = candidates
  return first === undefined ? refusedPath('empty') : { kind: 'allowed', candidates: [first, ...others] }
}

/**
 * The rules alone, on a path that is relative to the workspace and has no `..`.
 * Undefined when it may be touched. Asked again with the real path after links
 * are resolved, because a harmless name may lead to a protected file.
 */
export function decideRelative(
  relative: string,
  { action, scope, agent }: Pick<PathAsk, 'action' | 'scope' | 'agent'>,
): PathRefused | undefined {
  const names = relative.split('/').map(foldName)
  if (isSecretPath(names)) return refusedPath('secret')
  const isShared = names[0] === 'shared-context'
  if (scope === 'shared' && !isShared) return refusedPath('not-shared')
  if (action === 'read') return undefined
  if (isProtectedPath(names)) return refusedPath('protected')
  if (isLedger(names)) return refusedPath('ledger')
  if (scope === 'shared') return names.length > 1 ? undefined : refusedPath('not-shared')
  const isOwn = names[0] === 'agents' && names[1] === foldName(agent) && names.length > 2
  if (isOwn) return undefined
  return refusedPath(names[0] === 'agents' ? 'other-agent' : 'not-own')
}

/** Segments of a relative path without `.` and empty ones, or why not. */
export function splitPath(path: string): string[] | PathRefused {
  if (path.trim() === '') return refusedPath('empty')
  if (control.test(path)) return refusedPath('control-character')
  if (invisible.test(path)) return refusedPath('invisible-character')
  if (path.includes('\\') || /^[A-Za-z]:/.test(path)) return refusedPath('backslash')
  if (path.startsWith('/')) return refusedPath('absolute')
  if (path.startsWith('~')) return refusedPath('home')
  const segments = path.split('/').filter(segment => segment !== '' && segment !== '.')
  if (segments.some(segment => segment.trim() === '..')) return refusedPath('parent')
  const isLong = segments.some(segment => utf8Length(segment) > 255) || utf8Length(path) > 1024
  return isLong ? refusedPath('too-long') : segments
}

/** Secrets and machine state: never read, never written. `names` are folded. */
export function isSecretPath(names: readonly string[]): boolean {
  return names.some(
    name =>
      name === '.claw' || name === '.git' || name.startsWith('.env') || name === '.netrc' || name === '.ssh',
  )
}

/** What only a person changes. `names` are folded. */
export function isProtectedPath(names: readonly string[]): boolean {
  return names.some(
    name =>
      name === 'soul.md' ||
      name === 'claw.yaml' ||
      name === 'jobs' ||
      name === 'hooks' ||
      name === 'approvals',
  )
}

/** As the most forgiving file system would compare it: no case, no width, no invisible characters, no trailing dots. */
export function foldName(name: string): string {
  return wideName(name)
    .toLowerCase()
    .replace(/[. ]+$/, match => (match.length === name.length ? match : ''))
}

/** In ASCII there is nothing to fold, and the tables of Unicode stay unread. */
function wideName(name: string): string {
  return ascii.test(name) ? name : name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

export function refusedPath(reason: PathRefusal): PathRefused {
  return { kind: 'refused', reason, why: refusals[reason] }
}

function isLedger(names: readonly string[]): boolean {
  if (names[0] === 'shared-context') return ledgers.has(names[1] ?? '')
  return names[0] === 'agents' && names[2] === 'sessions'
}

function candidatesOf(segments: readonly string[], { action, scope, agent }: PathAsk): string[] {
  const plain = segments.join('/')
  const top = foldName(segments[0] ?? '')
  if (scope === 'shared') return [top === 'shared-context' ? plain : join('shared-context', plain)]
  if (workspaceNames.has(top) || isSecretPath([top])) return [plain]
  const own = join(`agents/${agent}`, plain)
  return action === 'write' || plain === '' ? [own] : [own, plain]
}

function join(folder: string, rest: string): string {
  return rest === '' ? folder : `${folder}/${rest}`
}

function utf8Length(text: string): number {
  let length = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return length
}
