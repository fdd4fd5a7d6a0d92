export type ArgvRefusal =
  | 'empty'
  | 'too-long'
  | 'newline'
  | 'control-character'
  | 'invisible-character'
  | 'pipe'
  | 'chain'
  | 'background'
  | 'redirection'
  | 'substitution'
  | 'variable'
  | 'group'
  | 'glob'
  | 'brace'
  | 'tilde'
  | 'history'
  | 'comment'
  | 'assignment'
  | 'unbalanced-quote'
  | 'trailing-backslash'

export type Argv = readonly [string, ...string[]]

export type ParsedCommand =
  | { kind: 'parsed'; argv: Argv }
  | { kind: 'refused'; reason: ArgvRefusal; why: string }

/** Why each is refused: there is no shell, so none of this would do what it says. */
const refusals: Readonly<Record<ArgvRefusal, string>> = {
  empty: 'the command is empty',
  'too-long': 'the command is longer than 8192 characters',
  newline: 'the command has more than one line; send one command at a time',
  'control-character': 'the command holds a control character',
  'invisible-character': 'the command holds an invisible or look-alike blank character',
  pipe: 'pipes are not run; send one program at a time',
  chain: 'chains with ; && || are not run; send one command at a time',
  background: 'background jobs with & are not run',
  redirection: 'redirections are not run; use the write tool',
  substitution: 'command substitution is not run',
  variable: 'variables are not expanded; quote a literal $ with single quotes',
  group: 'parentheses are not run; quote them when they are meant literally',
  glob: 'wildcards are not expanded; name the files, or quote a pattern that the program itself reads',
  brace: 'braces are not expanded; quote them when they are meant literally',
  tilde: '~ is not expanded; paths are relative',
  history: '! is not expanded; quote it when it is meant literally',
  comment: 'comments are not removed; leave the # out or quote it',
  assignment: 'variables cannot be set in front of a command',
  'unbalanced-quote': 'a quote is not closed',
  'trailing-backslash': 'the command ends in a backslash',
}

/** Length of a command line in UTF-16 units. */
const maxLength = 8192

/** ZWJ and ZWNJ stay: emoji and several scripts need them, and no program reads them as a blank. */
const invisible =
  /\u034F|[\u00A0\u00AD\u061C\u1680\u180E\u2000-\u200B\u200E\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/

/**
 * Splits a command line once, by the quoting rules of a POSIX shell, into
 * exactly what will run. Whatever a shell would interpret beyond quotes is
 * refused by its own reason and never guessed at.
 */
export function parseCommand(line: string): ParsedCommand {
  const early = refusedAsText(line)
  if (early) return refused(early)
  const words = splitWords(line)
  if (typeof words === 'string') return refused(words)
  const [program, ...rest] = words
  if (program === undefined || program === '') return refused('empty')
  if (/^[A-Za-z_]\w*\+?=/.test(program)) return refused('assignment')
  return { kind: 'parsed', argv: [program, ...rest] }
}

/** The same for a command that comes as a list: nothing is split, only what cannot run is refused. */
export function checkArgv(argv: readonly string[]): ParsedCommand {
  const [program, ...rest] = argv
  if (program === undefined || program.trim() === '') return refused('empty')
  if (argv.join(' ').length > maxLength) return refused('too-long')
  const bad = argv.find(word => control.test(word) || invisible.test(word))
  if (bad !== undefined) return refused(control.test(bad) ? 'control-character' : 'invisible-character')
  if (/[\n\r]/.test(program)) return refused('newline')
  return { kind: 'parsed', argv: [program, ...rest] }
}

function refused(reason: ArgvRefusal): ParsedCommand {
  return { kind: 'refused', reason, why: refusals[reason] }
}

function refusedAsText(line: string): ArgvRefusal | undefined {
  if (line.trim() === '') return 'empty'
  if (line.length > maxLength) return 'too-long'
  if (/[\n\r]/.test(line.trim())) return 'newline'
  if (control.test(line)) return 'control-character'
  return invisible.test(line) ? 'invisible-character' : undefined
}

/** One word being read; undefined between words, so that '' stays a word. */
interface Reading {
  words: string[]
  word: string | undefined
}

function splitWords(line: string): string[] | ArgvRefusal {
  const reading: Reading = { words: [], word: undefined }
  let at = 0
  while (at < line.length) {
    const step = readOne(line, at, reading)
    if (typeof step === 'string') return step
    at = step
  }
  if (reading.word !== undefined) reading.words.push(reading.word)
  return reading.words
}

/** Takes one character or one quoted stretch; returns where to go on. */
function readOne(line: string, at: number, reading: Reading): number | ArgvRefusal {
  const char = line.charAt(at)
  if (/\s/.test(char)) {
    if (reading.word !== undefined) reading.words.push(reading.word)
    reading.word = undefined
    return at + 1
  }
  if (char === "'") return readSingle(line, at, reading)
  if (char === '"') return readDouble(line, at, reading)
  if (char === '\\') {
    if (at + 1 >= line.length) return 'trailing-backslash'
    reading.word = (reading.word ?? '') + line.charAt(at + 1)
    return at + 2
  }
  const special = refusedUnquoted(line, at, reading.word === undefined)
  if (special) return special
  reading.word = (reading.word ?? '') + char
  return at + 1
}

function readSingle(line: string, at: number, reading: Reading): number | ArgvRefusal {
  const end = line.indexOf("'", at + 1)
  if (end === -1) return 'unbalanced-quote'
  reading.word = (reading.word ?? '') + line.slice(at + 1, end)
  return end + 1
}

function readDouble(line: string, start: number, reading: Reading): number | ArgvRefusal {
  let text = ''
  for (let at = start + 1; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === '"') {
      reading.word = (reading.word ?? '') + text
      return at + 1
    }
    if (char === '`') return 'substitution'
    if (char === '$') {
      const dollar = refusedDollar(line, at)
      if (dollar) return dollar
    }
    if (char === '\\' && /[\\"$`]/.test(line.charAt(at + 1))) text += line.charAt(++at)
    else text += char
  }
  return 'unbalanced-quote'
}

function refusedUnquoted(line: string, at: number, isWordStart: boolean): ArgvRefusal | undefined {
  const char = line.charAt(at)
  const next = line.charAt(at + 1)
  switch (char) {
    case '|':
      return next === '|' ? 'chain' : 'pipe'
    case ';':
      return 'chain'
    case '&':
      if (next === '&') return 'chain'
      return next === '>' ? 'redirection' : 'background'
    case '<':
    case '>':
      return next === '(' ? 'substitution' : 'redirection'
    case '`':
      return 'substitution'
    case '$':
      return refusedDollar(line, at) ?? (/['"]/.test(next) ? 'substitution' : undefined)
    case '(':
    case ')':
      return 'group'
    case '{':
    case '}':
      return 'brace'
    case '*':
    case '?':
    case '[':
      return 'glob'
    case '~':
      return isWordStart || /[=:]/.test(line.charAt(at - 1)) ? 'tilde' : undefined
    case '!':
      return isWordStart ? 'history' : undefined
    case '#':
      return isWordStart ? 'comment' : undefined
    default:
      return undefined
  }
}

/** A `$` that no shell would expand (at the end, before a blank) is only a character. */
function refusedDollar(line: string, at: number): ArgvRefusal | undefined {
  const next = line.charAt(at + 1)
  if (next === '(' || next === '[') return 'substitution'
  return /[\w{@*#?$!-]/.test(next) ? 'variable' : undefined
}
