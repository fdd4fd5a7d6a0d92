import { type Check, few, isCount, isTrue, quoted } from './check.ts'
import { itemsOf } from './items-of.ts'

export const minItems: Check = {
  name: 'minItems',
  takes: 'a number',
  isArgument: isCount,
  problems(text, { argument }) {
    const count = itemsOf(text).length
    return isCount(argument) && count < argument
      ? [`has ${count} items; at least ${argument} are needed (top-level list entries or table rows)`]
      : []
  },
}

export const maxLength: Check = {
  name: 'maxLength',
  takes: 'a number of characters',
  isArgument: isCount,
  problems(text, { argument }) {
    const length = [...text.trim()].length
    return isCount(argument) && length > argument
      ? [`has ${length} characters; at most ${argument} are allowed`]
      : []
  },
}

/** For texts of which each line is a message of its own, such as reminders. */
export const maxLineLength: Check = {
  name: 'maxLineLength',
  takes: 'a number of characters',
  isArgument: isCount,
  problems(text, { argument }) {
    const long = text
      .split(/\r?\n/)
      .map(line => line.trim())
      .filter(line => isCount(argument) && [...line].length > argument)
    return long.length === 0
      ? []
      : [
          `has ${long.length} lines of more than ${String(argument)} characters: ${few(long.map(quoted), 3)}; shorten them`,
        ]
  },
}

export const minLength: Check = {
  name: 'minLength',
  takes: 'a number of characters',
  isArgument: isCount,
  problems(text, { argument }) {
    const length = [...text.trim()].length
    return isCount(argument) && length < argument
      ? [`has ${length} characters; at least ${argument} are needed`]
      : []
  },
}

export const notEmpty: Check = {
  name: 'notEmpty',
  takes: 'true',
  isArgument: isTrue,
  problems(text) {
    const said = withoutComments(text)
      .replace(/^[ \t]{0,3}#{1,6}[ \t].*$/gm, '')
      .replace(/^[ \t]*([-*_=][ \t]*){3,}$/gm, '')
    return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(said)
      ? []
      : ['says nothing besides headings and blanks']
  },
}

/** By position, because a pattern takes quadratic time where comments are opened and never closed. */
function withoutComments(text: string): string {
  let kept = ''
  let from = 0
  for (;;) {
    const start = text.indexOf('<!--', from)
    const end = start === -1 ? -1 : text.indexOf('-->', start)
    if (end === -1) return kept + text.slice(from)
    kept += text.slice(from, start)
    from = end + '-->'.length
  }
}
