import { isObject } from '../../core/json-schema.ts'
import { type Millis, secondMs } from '../../core/millis.ts'
import { feedDate } from '../../core/feed-date.ts'
import { plainText } from '../../core/plain-text.ts'
import { webLink } from './item-link.ts'

export interface Story {
  id: number
  title: string
  /** Of the page it links to, or of the discussion when it links to none. */
  link: string
  discussion: string
  text: string
  points: number
  comments: number | undefined
  published: Millis | undefined
}

const home = 'https://news.ycombinator.com/'

/** Undefined for what is no living story: comments, jobs, polls, people, the deleted and the dead. */
export function storyOf(value: unknown): Story | undefined {
  if (!isObject(value)) return undefined
  const { id, type, title, url, text, score, descendants, time, deleted, dead } = value
  if (type !== 'story' || deleted === true || dead === true) return undefined
  if (typeof id !== 'number' || typeof title !== 'string' || plainText(title, 300) === '') return undefined
  const discussion = `${home}item?id=${id}`
  return {
    id,
    title: plainText(title, 300),
    link: (typeof url === 'string' ? webLink(url, [home]) : undefined) ?? discussion,
    discussion,
    text: typeof text === 'string' ? plainText(text, 300) : '',
    points: typeof score === 'number' ? score : 0,
    comments: typeof descendants === 'number' ? descendants : undefined,
    published: typeof time === 'number' ? time * secondMs : undefined,
  }
}

/** The stories of a saved front page, of any year; an advertised job has no points and is no story. */
export function storiesOfPage(html: string): Story[] {
  const title =
    /<(?:td class="title"|span class="titleline")[^>]*>\s*<a\b[^>]*?\bhref="([^"]+)"[^>]*>([\s\S]*?)<\/a>/gi
  const found = [...html.matchAll(title)]
  return found.flatMap((match, index) => {
    const below = html.slice(match.index, found[index + 1]?.index ?? match.index + 4000)
    const score = /id="?score_(\d+)"?[^>]*>\s*([\d,]+)\s*points?/i.exec(below)
    if (!score) return []
    return (
      storyOf({
        id: Number(score[1]),
        type: 'story',
        title: match[2],
        url: webLink(plainText(match[1]!, 2000), [home]),
        score: Number(score[2]!.replace(/,/g, '')),
        descendants: commentsIn(below),
        time: ageIn(below),
      }) ?? []
    )
  })
}

function commentsIn(html: string): number | undefined {
  const count = /(\d+)(?:\s|&nbsp;|\u00a0)*comments?</i.exec(html)?.[1]
  return count === undefined ? undefined : Number(count)
}

function ageIn(html: string): number | undefined {
  const stamp = /class="age"[^>]*title="(\d{4}-\d\d-\d\dT[\d:]+)/i.exec(html)?.[1]
  const at = stamp === undefined ? undefined : feedDate(stamp)
  return at === undefined ? undefined : at / secondMs
}
