import { type Decode, DecodeProblem, duration, filledText, listOf, objectOf } from './decode.ts'
import { type Millis, minuteMs } from './millis.ts'

/** One entry of the `tasks:` block of HEARTBEAT.md, in the shape that OpenClaw gives it. */
export interface HeartbeatTask {
  name: string
  intervalMs: number
  prompt: string
}

export interface HeartbeatText {
  /** The checklist, without the block of tasks. */
  body: string
  /** The block, from its `tasks:` on; undefined where there is none. */
  block: { text: string; firstLine: number } | undefined
}

/** Takes the `tasks:` block, which begins at the left margin and ends before the next heading or sentence there. */
export function splitHeartbeat(text: string): HeartbeatText {
  const lines = text.split(/\r?\n/)
  const start = lines.findIndex(line => /^tasks:\s*(#.*)?$/.test(line))
  if (start === -1) return { body: text, block: undefined }
  let end = start + 1
  while (end < lines.length && /^(\s|-\s|-$|$)/.test(lines[end]!)) end += 1
  return {
    body: [...lines.slice(0, start), ...lines.slice(end)].join('\n'),
    block: { text: lines.slice(start, end).join('\n'), firstLine: start + 1 },
  }
}

/** Says the text nothing: headings, comments, rules, list items without words? */
export function isEmptyChecklist(body: string): boolean {
  return body
    .replaceAll(/<!--[^]*?(-->|$)/g, '')
    .split('\n')
    .every(line => /^\s*(#.*|[-*+]\s*(\[[ x]?\])?\s*|[-*_=]{3,}|`{3,}\w*)?\s*$/i.test(line))
}

const interval: Decode<number> = (value, path) => {
  const ms = duration(value, path)
  if (ms >= minuteMs) return ms
  throw new DecodeProblem(path, '`interval` must be a minute or more')
}

const block = objectOf({
  tasks: listOf(objectOf({ name: filledText, interval, prompt: filledText })),
})

/** Throws `DecodeProblem`, also for a name that stands twice: its last run is kept by name. */
export function decodeHeartbeatTasks(value: unknown): HeartbeatTask[] {
  const { tasks } = block(value, [])
  const names = new Set<string>()
  return tasks.map(({ name, interval: intervalMs, prompt }, index) => {
    if (names.has(name)) throw new DecodeProblem(['tasks', index, 'name'], `two tasks are named ${name}`)
    names.add(name)
    return { name, intervalMs, prompt }
  })
}

/** Those whose interval is over since their last good run. A stamp of the future counts as never. */
export function dueTasks(
  tasks: readonly HeartbeatTask[],
  lastRuns: Readonly<Record<string, Millis>>,
  now: Millis,
): HeartbeatTask[] {
  return tasks.filter(({ name, intervalMs }) => {
    const last = lastRuns[name]
    return last === undefined || last > now || now - last >= intervalMs
  })
}

/** What the agent is told: the checklist, then the tasks that are due. */
export function heartbeatPrompt(body: string, due: readonly HeartbeatTask[]): string {
  const rule = 'Nothing needs attention: answer HEARTBEAT_OK and nothing else.'
  const list = due.map(({ name, prompt }) => `- ${name}: ${prompt}`)
  return [
    'This is your heartbeat. Look at what follows and do nothing beyond it.',
    ...(isEmptyChecklist(body) ? [] : [body.trim()]),
    ...(list.length > 0 ? [['Due now:', ...list].join('\n')] : []),
    rule,
  ].join('\n\n')
}
