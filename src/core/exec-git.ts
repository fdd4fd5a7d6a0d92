import { hasShortOption, isLongOption } from './exec-programs.ts'

/** Subcommands that show things; everything else changes the repository and needs its own line in the list. */
const readOnly = new Set(
  'status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file name-rev merge-base diff-tree diff-index diff-files for-each-ref show-ref count-objects whatchanged range-diff cherry grep version check-ignore'.split(
    ' ',
  ),
)

/** Subcommands that run programs or read foreign places by design. */
const runsPrograms = new Set(
  'bisect rebase submodule difftool mergetool filter-branch daemon instaweb web--browse send-email imap-send config archive upload-pack upload-archive receive-pack fast-import fast-export hook maintenance p4 svn cvsimport credential remote-ext remote-fd http-backend shell update-index update-ref worktree gui citool request-pull help'.split(
    ' ',
  ),
)

/** Refused for every subcommand, abbreviations included. */
const longs = [
  'upload-pack',
  'receive-pack',
  'exec',
  'ext-diff',
  'textconv',
  'output',
  'output-directory',
  'open-files-in-pager',
  'no-index',
  'config',
  'template',
  'separate-git-dir',
  'reference',
  'file',
  'contents',
  'ignore-revs-file',
  'pathspec-from-file',
  'exclude-from',
  'exclude-per-directory',
  'edit',
  'strategy',
  'filters',
  'server-option',
  'signing-key',
  'gpg-sign',
  'show-signature',
  'verify-signatures',
] as const

/** Why a git command does more than its subcommand says; undefined when it does not. `argv[0]` is git. */
export function checkGit(argv: readonly string[], approvedWords: number): string | undefined {
  const subcommand = argv[1]
  if (subcommand === undefined) return undefined
  if (subcommand.startsWith('-')) {
    return subcommand === '--version' || approvedWords > 1
      ? undefined
      : 'options in front of the git subcommand are refused'
  }
  if (approvedWords < 2) {
    if (runsPrograms.has(subcommand)) return `git ${subcommand} can run other programs`
    if (!readOnly.has(subcommand)) return `git ${subcommand} needs its own entry in the list`
  }
  for (const word of argv.slice(Math.max(2, approvedWords))) {
    const why = checkWord(word, subcommand)
    if (why) return why
  }
  return undefined
}

function checkWord(word: string, subcommand: string): string | undefined {
  if (isLongOption(word, longs)) return `git option ${word} is refused`
  const risky = riskyShorts[subcommand]
  if (risky !== undefined && hasShortOption(word, risky)) return `git option ${word} is refused`
  if (word.startsWith('-O')) return `git option ${word} is refused`
  if (/^[a-z][a-z0-9+.-]*::/i.test(word)) return 'remote helpers (name::address) run programs'
  if (/:\/\/-|^-o/.test(word) || /@-/.test(word)) return 'this address hides an option'
  return undefined
}

/** Short options that run something, read or write a named file, or set configuration. */
const riskyShorts: Readonly<Record<string, string>> = {
  grep: 'Of',
  fetch: 'u',
  pull: 'sX',
  clone: 'ucox',
  push: 'o',
  'ls-remote': 'o',
  blame: 'S',
  annotate: 'S',
  commit: 'SFtce',
  tag: 'Fsue',
  merge: 'SFse',
  notes: 'FCc',
  revert: 'Se',
  'cherry-pick': 'Se',
  am: 'S',
  'format-patch': 'o',
}

/**
 * Environment that disarms what a foreign repository's own configuration could
 * run: an agent can make a folder that looks like a bare repository.
 */
export const gitEnv: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
  GIT_CONFIG_KEY_1: 'core.fsmonitor',
  GIT_CONFIG_VALUE_1: 'false',
  GIT_CONFIG_KEY_2: 'protocol.ext.allow',
  GIT_CONFIG_VALUE_2: 'never',
}
