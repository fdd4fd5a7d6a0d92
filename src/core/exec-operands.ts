import { decideRelative, foldName, isProtectedPath, isSecretPath } from './paths-policy.ts'

/** What an operand may name: `show` reads, `change` is a known writer, `unknown` might be either. */
export type OperandUse = 'show' | 'change' | 'unknown'

export interface Place {
  /** Absolute path of the workspace. */
  root: string
  agent: string
}

export type OperandJudgement =
  | { kind: 'inside'; paths: string[] }
  | { kind: 'refused'; reason: 'outside' | 'secret' | 'protected'; why: string }

/** Judges every path that a word may hold; programs run in the agent's folder. Paths come back relative to the workspace. */
export function judgeWord(word: string, use: OperandUse, place: Place): OperandJudgement {
  const paths: string[] = []
  for (const candidate of pathsIn(word)) {
    const relative = resolveWord(candidate, place)
    if (relative === undefined)
      return { kind: 'refused', reason: 'outside', why: `${word} leads out of the workspace` }
    const names = relative.split('/').map(foldName)
    if (isSecretPath(names))
      return { kind: 'refused', reason: 'secret', why: `${word} holds secrets or machine state` }
    const why = use === 'show' ? undefined : changeRefused(relative, names, use, place)
    if (why) return { kind: 'refused', reason: 'protected', why: `${word}: ${why}` }
    paths.push(relative)
  }
  return { kind: 'inside', paths }
}

function changeRefused(
  relative: string,
  names: string[],
  use: OperandUse,
  { agent }: Place,
): string | undefined {
  if (use === 'change') return decideRelative(relative, { action: 'write', scope: 'own', agent })?.why
  if (isProtectedPath(names)) return 'this file is protected: only a person changes it'
  return relative === '' || relative === 'agents' ? 'this folder holds protected files' : undefined
}

/** The word itself, an option's value, and each part that some programs read as a path (`if=x`, `@x`, `HEAD:x`). */
function pathsIn(word: string): string[] {
  if (/^https?:\/\//i.test(word)) return []
  const whole = word.startsWith('-') ? gluedValues(word) : [word]
  const pieces = word.split(/[=:,@()]/).slice(1)
  return [...new Set([...whole, ...pieces])].filter(part => part !== '')
}

/** `-fname` and `-nf../name`: what follows the letter, and what follows several. */
function gluedValues(word: string): string[] {
  if (word.startsWith('--') || word.length < 3) return []
  const start = word.slice(2).search(/[/.~]/)
  return start === -1 ? [word.slice(2)] : [word.slice(2), word.slice(2 + start)]
}

/** Undefined when it leads out of the workspace. */
function resolveWord(word: string, { root, agent }: Place): string | undefined {
  if (word.startsWith('~')) return undefined
  const isInRoot = word === root || word.startsWith(`${root}/`)
  if (word.startsWith('/') && !isInRoot) return undefined
  const resolved = word.startsWith('/') ? [] : ['agents', agent]
  for (const name of (word.startsWith('/') ? word.slice(root.length) : word).split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') resolved.push(name)
    else if (resolved.pop() === undefined) return undefined
  }
  return resolved.join('/')
}
