import { type Check, few, isTrue, quoted } from '../check.ts'
import { foldHeading } from '../sections-of.ts'
import { tagPattern } from './labels.ts'
import { type Statement, statementsOf } from './statements-of.ts'

/** Each factor, an entry or a row, says where it is from and of when it is; one without data says `no data`. */
export const factorSources: Check = {
  name: 'factorSources',
  takes: 'true',
  isArgument: isTrue,
  problems(text, { evidence, canonical }) {
    const undated = new Set(
      evidence.filter(({ published }) => published === '').map(({ url }) => canonical(url)),
    )
    const factors = factorsOf(statementsOf(text)).filter(({ text: said }) => !hasNoData(said))
    const isUndated = (said: string): boolean =>
      [...said.matchAll(address)].some(([url]) => undated.has(canonical(url)))
    const faults = [
      { what: 'a source', of: factors.filter(({ text: said }) => !hasSource(said)) },
      { what: 'a time', of: factors.filter(({ text: said }) => !hasTime(said) && !isUndated(said)) },
    ]
    return faults
      .filter(({ of }) => of.length > 0)
      .map(
        ({ what, of }) =>
          `has ${of.length} factors without ${what}: ${few(
            of.map(({ said }) => quoted(said)),
            3,
          )}; end each with "(source, date and time)", or write "no data"`,
      )
  },
}

interface Factor {
  said: string
  text: string
}

const factorWords =
  /^(?:(?:macro |key |market )?factors?(?: pack| table)?|(?:宏观|关键|市场)?因子(?:包|表)?)$/
const factorTag = tagPattern('factors?|因子')
const address = /https?:\/\/[^\s<>"'`()[\]，。；、|]{1,2000}/g

function isFactorHeading(heading: string): boolean {
  return factorWords.test(foldHeading(heading.split(/[:：(（]/)[0] ?? ''))
}

function factorsOf(statements: readonly Statement[]): Factor[] {
  const listed = new Set(
    statements.filter(({ kind }) => kind === 'item' || kind === 'row').map(({ section }) => section),
  )
  return statements
    .filter(({ kind, lines, cells, headings, section }) => {
      if (kind === 'heading') return false
      if (cells.some(({ head }) => isFactorHeading(head))) return true
      if (lines.some(line => factorTag.test(line))) return true
      return headings.some(isFactorHeading) && (kind !== 'paragraph' || !listed.has(section))
    })
    .filter(({ lines }) => /[\p{L}\p{N}]/u.test(lines.join('')))
    .map(({ kind, lines, cells }) => ({
      said: kind === 'row' ? cells.map(({ text }) => text).join(' | ') : (lines[0] ?? ''),
      text: lines.join('\n'),
    }))
}

/** Nothing is claimed, so there is nothing to cite; a figure beside these words is a claim all the same. */
function hasNoData(text: string): boolean {
  return (
    /\b(?:no data|not available|unavailable|nothing was gathered|none)\b|无数据|缺(?:少)?数据|数据缺失|暂无/i.test(
      text,
    ) && !/\d\s?[%％]|\d\.\d/.test(text)
  )
}

const sourceWord = /(?:\b(?:sources?|src|via|from)|来源|出处|据)\s?[:：]?\s?([\p{L}\p{N}][^\n;；|]{0,80})/giu
const named =
  /[(（]\s?[^()（）\n\d,，;；]{2,60}[^()（）\n,，;；]{0,40}[,，;；]\s?[^()（）\n]{0,60}\d[^()（）\n]{0,40}[)）]/
const path = /\b(?:shared-context|agents|knowledge|intel)\/[\w./{}-]{3,200}/

function hasSource(text: string): boolean {
  if (text.search(/https?:\/\/\w/) !== -1 || path.test(text) || named.test(text)) return true
  return [...text.matchAll(sourceWord)].some(
    ([, name = '']) =>
      !/^[-–—*_?]*(?:(?:none|unknown|n\/a|tbd|无|未知)(?![\p{L}\p{N}])|$)/iu.test(name.trim()),
  )
}

const times: readonly RegExp[] = [
  /\b(?:19|20)\d{2}[-/.](?:0?[1-9]|1[0-2])(?:[-/.]\d{1,2})?/,
  /(?<![\d.])(?:[01]?\d|2[0-3]):[0-5]\d(?!\d)/,
  /(?:0?[1-9]|1[0-2])\s?月(?:\s?\d{1,2}\s?[日号])?/,
  /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.?\s\d{1,4}\b/i,
  /\b\d{1,2}\s(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)/i,
  /\b(?:19|20)\d{2}\s?(?:Q[1-4]|H[12])|\bQ[1-4]\s?(?:19|20)\d{2}/,
]

function hasTime(text: string): boolean {
  const said = text.replace(address, ' ')
  return times.some(pattern => pattern.test(said))
}
