import { type CalendarFields, calendarFields } from './calendar-fields.ts'
import { jobArgs, type Plan, type PlannedJob, type RenderedFile, tickArgs, workspaceId } from './plan.ts'
import { unitName } from './unit-name.ts'

/** One moment of StartCalendarInterval; a key that is left out is any value. */
type CalendarDict = Partial<Record<'Month' | 'Day' | 'Weekday' | 'Hour' | 'Minute', number>>

type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

/** cron's own PATH, with the folders in which a Mac keeps what people install. */
const path = '/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin'

/** A job with more moments than this wakes through the tick, which starts each minute. */
const maxDicts = 300

/** A property list for each job and one for the tick, in the zone of the host. */
export function launchdFiles(plan: Plan): RenderedFile[] {
  const { program, jobs } = plan
  const prefix = launchdPrefix(plan)
  const planned = jobs.flatMap(job => {
    const moments = momentsOf(job)
    if (moments.length > maxDicts) return []
    const name = unitName([job.agent, job.name], { maxLength: 100, digest: plan.digest })
    return [
      plist(`${prefix}${name}`, program, jobArgs(program.root, job), { StartCalendarInterval: moments }),
    ]
  })
  return [...planned, plist(`${prefix}tick`, program, tickArgs(program.root), { StartInterval: 60 })]
}

/** Jobs that get no list of their own: the tick starts them. */
export function launchdByTick({ jobs }: Plan): string[] {
  return jobs.filter(job => momentsOf(job).length > maxDicts).map(job => `${job.agent}/${job.name}`)
}

/** With what the names of all files of this workspace begin. */
export function launchdPrefix(plan: Pick<Plan, 'program' | 'digest'>): string {
  return `claw.${workspaceId(plan)}.`
}

/** A part of the text of each of its files, by which they are told from others. */
export function launchdOwn(root: string): string {
  return `<key>WorkingDirectory</key>\n  <string>${escaped(root)}</string>`
}

function momentsOf({ hostLines }: PlannedJob): CalendarDict[] {
  return hostLines.flatMap(line => calendarDicts(calendarFields(line)))
}

function plist(
  label: string,
  { nodePath, scriptPath, root }: Plan['program'],
  args: readonly string[],
  start: Readonly<Record<string, Value>>,
): RenderedFile {
  const value = {
    Label: label,
    ProgramArguments: [nodePath, scriptPath, ...args],
    WorkingDirectory: root,
    EnvironmentVariables: { PATH: path },
    StandardOutPath: '/dev/null',
    StandardErrorPath: `${root}/.claw/launchd.log`,
    ...start,
  }
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    ...element(value, ''),
    '</plist>',
    '',
  ].join('\n')
  return { name: `${label}.plist`, text }
}

function element(value: Value, indent: string): string[] {
  if (typeof value === 'number') return [`${indent}<integer>${value}</integer>`]
  if (typeof value === 'string') return [`${indent}<string>${escaped(value)}</string>`]
  const inner = `${indent}  `
  if (isList(value)) {
    return [`${indent}<array>`, ...value.flatMap(item => element(item, inner)), `${indent}</array>`]
  }
  const members = Object.entries(value).flatMap(([key, member]) => [
    `${inner}<key>${key}</key>`,
    ...element(member, inner),
  ])
  return [`${indent}<dict>`, ...members, `${indent}</dict>`]
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Every combination; where either day field counts, one set for each. A day that both limit wakes by weekday, and the slot decides. */
function calendarDicts(fields: CalendarFields): CalendarDict[] {
  const { minutes, hours, months, days, weekdays, isEitherDay } = fields
  const combine = (day: Pick<CalendarFields, 'days' | 'weekdays'>): CalendarDict[] =>
    [
      ['Month', months],
      ['Day', day.days],
      ['Weekday', day.weekdays],
      ['Hour', hours],
      ['Minute', minutes],
    ].reduce<CalendarDict[]>((dicts, [key, values]) => spread(dicts, key as keyof CalendarDict, values), [{}])
  const byWeekday = { days: undefined, weekdays }
  if (isEitherDay) return [...combine({ days, weekdays: undefined }), ...combine(byWeekday)]
  return combine(weekdays ? byWeekday : { days, weekdays })
}

function spread(dicts: readonly CalendarDict[], key: keyof CalendarDict, values: unknown): CalendarDict[] {
  if (!Array.isArray(values)) return [...dicts]
  return dicts.flatMap(dict => values.map((value: number) => ({ ...dict, [key]: value })))
}
