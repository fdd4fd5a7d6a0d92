import { type Check, few, isTrue } from './check.ts'

/** What models and templates leave behind where a fact should be. */
const placeholders: readonly RegExp[] = [
  /\b(?:TODO|TBD|FIXME|TKTK)\b/g,
  /\bXX{2,}\b/g,
  /\blorem ipsum\b/gi,
  /\{\{[^{}\n]{0,80}\}\}/g,
  /(?<![\w$`])\{(?:date|title|url|link|name|source|summary|agent|topic|item|text|content|number|n)\}/gi,
  /\[(?:insert|your|add|placeholder|title|link|url|source|summary|date|name|topic)\b[^\]\n]{0,60}\](?!\(|\[|:)/gi,
  /<(?:insert|your|placeholder|title|link|url|source|summary|date|name|topic)\b[^>\n=]{0,60}>/gi,
  /\[(?:[^\]\n]{0,200})\]\((?:#|url|link|https?:\/\/|\s*)\)/gi,
  /https?:\/\/(?:www\.)?(?:example\.(?:com|org|net)|your-?(?:domain|site|link)\.\w+|link-to-[\w-]+)\S*/gi,
  /(?:待补充|待填写|此处(?:填写|插入)[^\n。]{0,20}|(?:标题|链接|摘要)占位)/g,
  /\b(?:rest of (?:the )?(?:items|content|text) (?:here|omitted)|more items (?:here|follow)|and so on for the rest)\b/gi,
]

export const noPlaceholders: Check = {
  name: 'noPlaceholders',
  takes: 'true',
  isArgument: isTrue,
  problems(text, { evidence, canonical }) {
    const own = new Set(evidence.map(({ url }) => canonical(url)))
    const isOwn = (part: string): boolean => {
      const url = canonical(part.replace(/[).,]+$/, ''))
      return url !== undefined && own.has(url)
    }
    const titles = evidence.map(({ title }) => title).join('\n')
    const found = placeholders
      .flatMap(pattern => [...text.matchAll(pattern)].map(match => match[0].trim()))
      .filter(part => !titles.includes(part) && !isOwn(part))
    return found.length === 0 ? [] : [`still has placeholders: ${few([...new Set(found)])}`]
  },
}
