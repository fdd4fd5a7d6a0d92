import { spawnSync } from 'node:child_process'
import { type CronField, type CronFields, parseCron } from '../../src/core/cron/fields.ts'
import { offsetSpan } from '../../src/core/cron/offset-span.ts'
import { hourMs, type Millis } from '../../src/core/millis.ts'

/** How many instants are compared for each expression. */
export const iterations = 6

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Why `systemd-analyze calendar` cannot be asked here; undefined when it can. */
export function oracleReason(): string | undefined {
  const run = spawnSync('systemd-analyze', ['calendar', '*-*-* 00:00:00 Europe/Berlin'], { encoding: 'utf8' })
  return run.status === 0 ? undefined : 'systemd-analyze calendar does not run here'
}

export interface Question {
  expression: string
  timeZone: string
}

/** The next instants of each, as systemd computes them, all after the same moment. */
export function askOracle(questions: readonly Question[], after: Millis): Millis[][] {
  const wordings = questions.map(one => onCalendar(one))
  const argv = [
    'calendar',
    `--iterations=${iterations}`,
    `--base-time=${new Date(after).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    ...wordings.flat(),
  ]
  const run = spawnSync('systemd-analyze', argv, {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
    maxBuffer: 2 ** 26,
  })
  if (run.status !== 0) throw new Error(`systemd-analyze: ${run.stderr}`)
  const answers = run.stdout
    .split(/^Normalized form:/m)
    .slice(1)
    .map(instants)
  let at = 0
  return wordings.map(({ length }) => {
    const union = new Set(answers.slice(at, (at += length)).flat())
    return [...union].sort((a, b) => a - b).slice(0, iterations)
  })
}

function instants(block: string): Millis[] {
  const found = block.matchAll(/(?:Next elapse|Iter\. #\d+): \w+ (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g)
  return [...found].map(([, date, time]) => Date.parse(`${date}T${time}Z`))
}

/** In systemd day and weekday must both match, so cron's alternatives become two calendars. */
function onCalendar({ expression, timeZone }: Question): string[] {
  const fields = parseCron(expression)
  const { day, weekday } = fields
  const isBoth = day.isStar || weekday.isStar
  if (isBoth) return [wording(fields, day, weekday, timeZone)]
  return [wording(fields, day, undefined, timeZone), wording(fields, undefined, weekday, timeZone)]
}

function wording(
  fields: CronFields,
  day: CronField | undefined,
  weekday: CronField | undefined,
  zone: string,
): string {
  const days = weekday ? `${weekday.values.map(value => dayNames[value]).join(',')} ` : ''
  const list = (field: CronField | undefined): string => field?.values.join(',') ?? '*'
  return `${days}*-${list(fields.month)}-${list(day)} ${list(fields.hour)}:${list(fields.minute)}:00 ${zone}`
}

export type Explanation = 'made up right after the gap' | 'in a repeated hour' | 'no explanation'

/** Which rule of docs/decisions/07-time.md makes an instant ours or theirs alone. */
export function explain({ expression, timeZone }: Question, at: Millis, isOurs: boolean): Explanation {
  const isFixed = !expression
    .split(' ')
    .slice(0, 2)
    .some(field => field.startsWith('*'))
  const { from, offset, before } = offsetSpan(timeZone, at)
  if (isOurs && isFixed && at === from && offset > before) return 'made up right after the gap'
  const next = offsetSpan(timeZone, at + 3 * hourMs)
  const isFirstPass =
    next.from > at && next.before > next.offset && at >= next.from - (next.before - next.offset)
  const isSecondPass = before > offset && at < from + (before - offset)
  return isFirstPass || isSecondPass ? 'in a repeated hour' : 'no explanation'
}

/** Instants that only one of them has, up to where both lists reach. */
export function differences(
  ours: readonly Millis[],
  theirs: readonly Millis[],
): { at: Millis; isOurs: boolean }[] {
  const isShort = (list: readonly Millis[]): boolean => list.length < iterations
  const end = Math.min(isShort(ours) ? Infinity : ours.at(-1)!, isShort(theirs) ? Infinity : theirs.at(-1)!)
  return [
    ...ours.filter(at => at <= end && !theirs.includes(at)).map(at => ({ at, isOurs: true })),
    ...theirs.filter(at => at <= end && !ours.includes(at)).map(at => ({ at, isOurs: false })),
  ]
}
