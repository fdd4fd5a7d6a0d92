/** Words before a colon that say what a line of a statement is. */
export const labels = {
  stopLoss: String.raw`stop(?:[ -]?loss)?|hard stop|SL|止损(?:位|价|线|点)?`,
  confidence: String.raw`confidence|conviction|置信度?|信心`,
  counter: String.raw`against it|against|counter[ -]?arguments?|counter[ -]?case|opposing view|wrong if|invalid(?:ated)? (?:if|when)|what would make (?:it|this) wrong|反方(?:观点|论据|论点)?|反驳|反证|反面(?:观点|论据)?|反对意见`,
  source: String.raw`sources?|data source|as of|time|来源|出处|截至|时间`,
  target: String.raw`targets?|score|basis|evidence|目标(?:价|位)?|评分|依据`,
} as const

const opening = String.raw`^[\s>]{0,8}(?:[-*+•]\s{1,4})?[*_(（\[【]{0,4}`
const any = new RegExp(
  String.raw`${opening}(?:${Object.values(labels).join('|')})[*_)）\]】]{0,4}\s?[:：]`,
  'i',
)

/** Whether a line only adds to the statement above it. */
export function startsWithLabel(line: string): boolean {
  return any.test(line)
}

/** For lines that begin with a tag: `Judgment:`, `Judgment 2 (oil):`, `[fact]` or `**观点**：`. */
export function tagPattern(tag: string): RegExp {
  return new RegExp(
    String.raw`${opening}(?:${tag})(?:[ #\d]{0,4}(?:[(（][^()（）\n]{0,60}[)）])?[*_)）\]】]{0,4}\s?[:：]|[*_]{0,3}[\]】])`,
    'i',
  )
}

/** Words that say there is nothing: no judgment is asked to carry more. */
export function isNone(text: string): boolean {
  return /^[\s>*_(（\-+•]{0,12}(?:none\b|no\b(?!\.| doubt)|nothing\b|n\/a|not available|-+$|0$|无(?![风限]|论)|暂无|没有|缺(?:少)?数据|数据缺失)/i.test(
    text,
  )
}
