import { type Argv, parseCommand } from './argv.ts'
import { checkGit } from './exec-git.ts'
import { judgeWord, type OperandUse, type Place } from './exec-operands.ts'
import {
  hasShortOption,
  interpreters,
  isLongOption,
  type ProgramProfile,
  profiles,
  wrappers,
} from './exec-programs.ts'

export interface ExecPolicy {
  /** `full` skips the list; operands that hold secrets stay refused. */
  security: 'deny' | 'allowlist' | 'full'
  /** Commands by their first words, compared literally, e.g. `git status`. */
  allow: readonly string[]
}

export type ExecRefusal =
  | 'denied'
  | 'not-listed'
  | 'path-in-name'
  | 'wrapper'
  | 'interpreter'
  | 'option'
  | 'operands'
  | 'outside'
  | 'secret'
  | 'protected'

export type ExecDecision =
  | {
      kind: 'run'
      argv: Argv
      /** Relative to the workspace: what the words may name. Whoever runs it follows their links and judges again. */
      paths: string[]
    }
  | { kind: 'refused'; reason: ExecRefusal; why: string }

/** Programs that change the files they name. */
const writers = new Set(
  'rm mv cp ln tee touch mkdir rmdir dd truncate shred install chmod chown chgrp chattr setfacl unlink link mktemp mkfifo mknod tar unzip gzip gunzip bzip2 bunzip2 xz unxz zstd lz4 patch sponge rename iconv dos2unix unix2dos wget'.split(
    ' ',
  ),
)
/** Git subcommands that write the work tree. */
const treeWriters = new Set(
  'checkout restore reset stash clean rm mv apply am merge pull revert cherry-pick switch clone init'.split(
    ' ',
  ),
)

/** Decides on exactly the words that will run. Default deny; the longest entry that fits counts. */
export function decideExec(argv: Argv, policy: ExecPolicy, place: Place): ExecDecision {
  if (policy.security === 'deny')
    return refused('denied', 'exec is switched off in claw.yaml (exec.security: deny)')
  const approvedWords = policy.security === 'full' ? argv.length : approvedBy(policy.allow, argv)
  if (approvedWords === 0) {
    const [program] = argv
    if (program.includes('/')) return refused('path-in-name', `${program}: name a program without its path`)
    return refused(
      'not-listed',
      `${argv.slice(0, 2).join(' ')} is not in the list of allowed commands (exec.allow: ${policy.allow.join(', ') || 'empty'})`,
    )
  }
  const why = approvedWords === argv.length ? undefined : checkProgram(argv, approvedWords)
  return why ?? judgeOperands(argv, approvedWords, place)
}

/** Entries that can never match, with the reason; for the check of a configuration. */
export function brokenEntries(allow: readonly string[]): { entry: string; why: string }[] {
  return allow.flatMap(entry => {
    const parsed = parseCommand(entry)
    return parsed.kind === 'refused' ? [{ entry, why: parsed.why }] : []
  })
}

/** Number of words that the longest fitting entry covers; 0 when none fits. */
function approvedBy(allow: readonly string[], argv: Argv): number {
  let words = 0
  for (const entry of allow) {
    const parsed = parseCommand(entry)
    if (parsed.kind === 'parsed' && parsed.argv.every((word, index) => word === argv[index])) {
      words = Math.max(words, parsed.argv.length)
    }
  }
  return words
}

function refused(reason: ExecRefusal, why: string): ExecDecision {
  return { kind: 'refused', reason, why }
}

function nameOf(argv: Argv): string {
  return argv[0].slice(argv[0].lastIndexOf('/') + 1)
}

function checkProgram(argv: Argv, approvedWords: number): ExecDecision | undefined {
  const name = nameOf(argv)
  if (wrappers.has(name))
    return refused('wrapper', `${name} can run anything: it must be in the list word for word`)
  if (interpreters.test(name)) {
    const namesScript = approvedWords > 1 && argv.slice(1, approvedWords).some(word => !word.startsWith('-'))
    return namesScript
      ? undefined
      : refused('interpreter', `${name} runs any text: the list must name the script`)
  }
  const why = name === 'git' ? checkGit(argv, approvedWords) : undefined
  if (why) return refused('option', why)
  const profile = profileOf(name)
  return profile ? checkWords(argv, approvedWords, profile) : undefined
}

function profileOf(name: string): ProgramProfile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

function checkWords(argv: Argv, approvedWords: number, profile: ProgramProfile): ExecDecision | undefined {
  let operands = 0
  let isPastOptions = false
  for (const [index, word] of argv.entries()) {
    if (index === 0) continue
    const isApproved = index < approvedWords
    if (!isPastOptions && word === '--') isPastOptions = true
    else if (!isPastOptions && word.startsWith('-') && word !== '-') {
      const isRefused = !isApproved && isRefusedOption(word, profile)
      if (isRefused) return refused('option', `${argv[0]} ${word} does more than ${argv[0]} is allowed for`)
    } else {
      const why = isApproved ? undefined : whyNotOperand(word, operands, profile)
      if (why) return refused('option', `${argv[0]}: ${why}`)
      if (!/^\d+$/.test(word)) operands += 1
    }
  }
  const { maxOperands } = profile
  return maxOperands !== undefined && operands > maxOperands
    ? refused('operands', `${argv[0]} would write to its last operand`)
    : undefined
}

function whyNotOperand(word: string, index: number, { words, check }: ProgramProfile): string | undefined {
  return words?.test(word) ? `${word} is refused here` : check?.(word, index)
}

function isRefusedOption(
  word: string,
  { longs = [], shorts = '', valued = '', words }: ProgramProfile,
): boolean {
  return isLongOption(word, longs) || hasShortOption(word, shorts, valued) || words?.test(word) === true
}

function judgeOperands(argv: Argv, approvedWords: number, place: Place): ExecDecision {
  const name = nameOf(argv)
  const profile = profileOf(name)
  const use = useOf(argv)
  const isRecursive = profile?.recursive !== undefined && argv.some(word => profile.recursive?.test(word))
  const paths: string[] = []
  for (const [index, word] of argv.entries()) {
    if (index === 0 || textWords(argv, profile).has(index)) continue
    const judged = judgeWord(word, index < approvedWords ? 'show' : use, place)
    // A person wrote the words of the entry: they may lead out, but not to secrets.
    const isOwnerChoice = index < approvedWords && judged.kind === 'refused' && judged.reason === 'outside'
    if (isOwnerChoice) continue
    if (judged.kind === 'refused') return judged
    if (isRecursive && judged.paths.includes('') && !word.startsWith('-')) {
      return refused('secret', 'searching the whole workspace would read its secrets; name a folder')
    }
    paths.push(...judged.paths)
  }
  return { kind: 'run', argv, paths }
}

function useOf(argv: Argv): OperandUse {
  const name = nameOf(argv)
  if (name === 'git') return treeWriters.has(argv[1] ?? '') ? 'change' : 'show'
  if (writers.has(name)) return 'change'
  return profileOf(name)?.readsOnly || interpreters.test(name) ? 'show' : 'unknown'
}

/** Places of the words that are a pattern or a program text and name no file. */
function textWords(argv: Argv, profile: ProgramProfile | undefined): Set<number> {
  const found = new Set<number>()
  const { texts = 0, textOptions } = profile ?? {}
  if (texts === 0 || (textOptions && argv.some((word, index) => index > 0 && textOptions.test(word))))
    return found
  let isPastOptions = false
  for (const [index, word] of argv.entries()) {
    if (found.size >= texts) break
    if (index === 0) continue
    if (!isPastOptions && word === '--') isPastOptions = true
    else if (isPastOptions || !word.startsWith('-') || texts === Number.POSITIVE_INFINITY) found.add(index)
  }
  return found
}
