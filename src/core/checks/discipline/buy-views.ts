import { foldHeading } from '../sections-of.ts'
import { isNone } from './labels.ts'

/** How far around a word its meaning is looked for, in characters. */
const window = 60

interface Word {
  before: string
  word: string
  after: string
}

const english =
  /\b(?:buy(?:ing)?|accumulat(?:e|ing)|overweight|long|scale in(?:to)?|add(?:ing)? to (?:the |our |a )?(?:positions?|holdings?|exposure)|(?:open|enter|initiate|start|build)(?:ing)? (?:a |the )?(?:new )?(?:long )?positions?|adds?|adding)\b/gi
const chinese = /买入|买进|增持|加仓|建仓|做多|开多|多单|低吸|抄底|吸纳|超配/g

const fillers =
  '(?:a|an|any|the|new|strong|clear|to|yet|recommend|suggest|advise|rush|be|go|going|chase|just|view|views|or|nor|sell|hold|reason|need|case|and)'
const englishNo = new RegExp(
  String.raw`\b(?:no|not|don['’]t|doesn['’]t|never|avoid|without|neither|nor|cannot|can['’]t|won['’]t|wouldn['’]t|shouldn['’]t|mustn['’]t|refrain from|against|rather than|instead of|too (?:early|late|soon)|whether)\s+(?:${fillers}\s+){0,4}$`,
  'i',
)
const chineseNo =
  /(?:不|勿|别|莫|未|无|没有|没|避免|禁止|暂缓|切忌|拒绝|停止|非|是否)(?:建议|推荐|要|宜|能|可|应|急于|盲目|追高|再|会|予|作|给出|任何|新的|新|的|适合|考虑|明确|得|以|有){0,4}$/

/** Somebody buys, or bought: a fact about flows. */
const englishActor =
  /(?:\bnet|\b(?:investors|funds|insiders|banks?|traders|people|consumers|households|they|foreigners|companies|managers|inventories|stockpiles|losses|risks|evidence)(?: (?:to|will|can|may|keep|still|continue to))?)\s+$/i
const chineseActor =
  /(?:净|融资|回购|股东|高管|机构|北向|外资|主力|资金|基金|公司|央行|散户|游资|席位)(?:大幅|持续|连续|继续|合计|今日|昨日|拟|已|累计|小幅|净){0,3}$/
/** What others rate; with a link beside it, it is their view. */
const reported =
  /\b(?:upgrad|downgrad|reiterat|maintain|initiat|rate[sd]?\b|rating|analysts?\b|brokers?\b)|券商|评级|上调|下调|重申|维持|研报|首次覆盖/i

const englishNoun =
  /^\s(?:views?|calls?|ideas?|signals?|candidates?|lists?|recommendations?|ratings?)\b(.*)/is
const englishOther =
  /^(?:[- ]?backs?\b|-(?:side|ins?)\b|ers?\b|\s(?:orders?|volume|amount|turnover|value|interest|pressure|or sell)\b)/i
const chineseOther =
  /^(?:额|量|金额|占比|盘|席位|情绪|力量|计划|公告|方|股份|动能|成本|前|单数|家数|资金|[观看]点必须|须|必须)/
const chineseNone =
  /^(?:观点|建议|信号|机会|理由|条件|评级|标的|清单)?\s*(?:[:：]\s*)?(?:无|没有|暂无|不成立|不足|未出现|为零)/

/** How many views to buy a line holds: one for the first sentence that does, one for each further order to buy. */
export function buyViewsIn(line: string): number {
  const hasLink = /\]\(|https?:\/\//.test(line)
  const views = sentencesOf(line).filter(sentence => isView(sentence, hasLink))
  return views.length === 0 ? 0 : 1 + views.slice(1).filter(isOrder).length
}

/** A heading such as `Buy` or `买入观点`: what stands below it is a view without saying so. */
export function isBuyHeading(heading: string | undefined): boolean {
  return (
    heading !== undefined &&
    /^(?:buys?|longs?|accumulate|overweight|buy (?:views?|lists?|ideas?|candidates?|calls?)|(?:建议)?(?:买入|做多|增持|加仓|超配)(?:观点|建议|清单|标的|名单)?)$/.test(
      foldHeading(heading),
    )
  )
}

/** By position: to split at empty matches takes quadratic time. Sentences of marks alone are left out. */
function sentencesOf(line: string): string[] {
  const sentences: string[] = []
  let from = 0
  for (const { 0: mark, index } of line.matchAll(/[!?;。！？；]+|\.(?=\s)/g)) {
    if (index > from) sentences.push(line.slice(from, index + mark.length))
    from = index + mark.length
  }
  return [...sentences, line.slice(from)]
}

function isOrder(sentence: string): boolean {
  return /^[\s*_\-+•]{0,8}(?:(?:strong )?buy|long|accumulate|add|买入|买进|增持|加仓|建仓|做多|建议)/i.test(
    sentence,
  )
}

function isView(sentence: string, hasLink: boolean): boolean {
  if (/[?？]\s*$/.test(sentence)) return false
  const isOwn = (one: Word): boolean => !(hasLink && reported.test(one.before + one.after.slice(0, 12)))
  return (
    wordsOf(sentence, english).some(one => isEnglishView(one) && isOwn(one)) ||
    wordsOf(sentence, chinese).some(one => isChineseView(one) && isOwn(one))
  )
}

function wordsOf(sentence: string, pattern: RegExp): Word[] {
  return [...sentence.matchAll(pattern)].map(({ 0: word, index }) => ({
    before: sentence.slice(Math.max(0, index - window), index),
    word: word.toLowerCase(),
    after: sentence.slice(index + word.length, index + word.length + window),
  }))
}

/** Only what stands in the same part of the sentence denies a word. */
function partOf(before: string): string {
  return before.slice(Math.max(...[...',，;:：|(（'].map(mark => before.lastIndexOf(mark))) + 1)
}

function isEnglishView({ before, word, after }: Word): boolean {
  if (englishNo.test(partOf(before)) || englishActor.test(before)) return false
  if (word === 'long') return isLongView(before, after)
  if (/^add(?:s|ing)?$/.test(word))
    return /^ (?:[A-Z][A-Z0-9.]{1,7}\b.{0,20}\b(?:at|on|below|above)\b|to longs?\b)/.test(after)
  if (word === 'buying')
    return /\b(?:recommend|suggest|consider|favou?r|worth|prefer|advise|start)\s+$/i.test(before)
  const noun = englishNoun.exec(after)
  if (word === 'buy' && noun) {
    const said = /^\s*[:：](.*)/s.exec(noun[1] ?? '')?.[1]
    return said === undefined
      ? /^\s(?:on|for|in) [A-Z0-9]/.test(noun[1] ?? '')
      : !isNone(said.trim() || 'none')
  }
  return !englishOther.test(after)
}

/** `long` is a side only beside a name, a level or a word for a view; mostly it is a length. */
function isLongView(before: string, after: string): boolean {
  if (
    /^[- ](?:term|run|dated|end|time|ago|way|list|story|as|before|after|since|standing|lasting|duration|enough|shadow|tail|period|history)\b/i.test(
      after,
    )
  )
    return false
  if (/^ positions? (?:(?:was|were|is|are) )?(?:reduced|closed|cut|trimmed|fell|rose|by|of)\b/i.test(after))
    return false
  if (/^ (?:positions?|entry|setup|idea|trade|call|bias|view)\b/i.test(after)) return true
  if (
    /\b(?:go|going|stay|turn|remain|went|view|bias|stance|position|signal|direction|be)\W{1,3}$/i.test(before)
  )
    return true
  const isFirst = /^[\s*_\-+•|]*$|[:：|]\s*[*_]{0,2}$/.test(before)
  return (
    isFirst &&
    /^(?:[\s*_|.]*$|\s+[A-Z0-9]|\s[\w./ -]{1,24}\s(?:(?:at|above|from|near)\s\W?\d|on (?:a |the )?(?:pullback|dips?|break|weakness|strength)))/.test(
      after,
    )
  )
}

function isChineseView({ before, after }: Word): boolean {
  const part = partOf(before)
  return !(
    chineseNo.test(part) ||
    chineseActor.test(part) ||
    chineseOther.test(after) ||
    chineseNone.test(after)
  )
}
