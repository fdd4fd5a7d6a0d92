import { calendarFields } from './calendar-fields.ts'
import { jobArgs, type Plan, type PlannedJob, type RenderedFile, tickArgs, workspaceId } from './plan.ts'
import { unitName } from './unit-name.ts'

const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** A service and a timer for each job, in the job's own zone, and a pair for the tick. */
export function systemdFiles(plan: Plan): RenderedFile[] {
  const { program, jobs, digest } = plan
  const prefix = systemdPrefix(plan)
  const planned = jobs.flatMap(job => {
    const name = `${prefix}${unitName([job.agent, job.name], { maxLength: 100, digest })}`
    return pair(name, plan, {
      title: `${job.agent}/${job.name}`,
      args: jobArgs(program.root, job),
      calendar: onCalendar(job),
      isPersistent: true,
    })
  })
  const tick = pair(`${prefix}tick`, plan, {
    title: 'tick',
    args: tickArgs(program.root),
    calendar: ['*-*-* *:*:00'],
    isPersistent: false,
  })
  return [...planned, ...tick]
}

export function systemdPrefix(plan: Pick<Plan, 'program' | 'digest'>): string {
  return `claw-${workspaceId(plan)}-`
}

/** A part of the text of each of its files. */
export function systemdOwn(root: string): string {
  return `# claw workspace: ${root}\n`
}

/**
 * The schedule as systemd writes it. It leaves out a time that the clock skips
 * in spring; the tick starts that slot.
 */
export function onCalendar({ expression, timeZone }: Pick<PlannedJob, 'expression' | 'timeZone'>): string[] {
  const { minutes, hours, days, months, weekdays, isEitherDay } = calendarFields(expression)
  const time = `${numbers(hours)}:${numbers(minutes)}:00 ${timeZone}`
  const named = weekdays?.map(day => weekdayNames[day]).join(',')
  const dated = `*-${numbers(months)}-${numbers(days)}`
  if (!isEitherDay) return [[named, dated, time].filter(part => part !== undefined).join(' ')]
  return [`${dated} ${time}`, `${named} *-${numbers(months)}-* ${time}`]
}

interface Unit {
  title: string
  args: readonly string[]
  calendar: readonly string[]
  /** Fires once after the machine was off at the time. */
  isPersistent: boolean
}

function pair(
  name: string,
  { program }: Plan,
  { title, args, calendar, isPersistent }: Unit,
): RenderedFile[] {
  const own = systemdOwn(program.root)
  const command = [...interpreter(program.nodePath), program.scriptPath, ...args].map(quoted).join(' ')
  const oneshot = [
    '[Unit]',
    `Description=claw ${specifierFree(title)}`,
    '',
    '[Service]',
    'Type=oneshot',
    `ExecStart=:${command}`,
    'StandardOutput=null',
    '',
  ]
  const timer = [
    '[Unit]',
    `Description=Wakes claw ${specifierFree(title)}`,
    '',
    '[Timer]',
    ...calendar.map(text => `OnCalendar=${text}`),
    `Persistent=${isPersistent}`,
    'AccuracySec=1s',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ]
  return [
    { name: `${name}.service`, text: own + oneshot.join('\n') },
    { name: `${name}.timer`, text: own + timer.join('\n') },
  ]
}

/** systemd starts no program whose path holds a quote or a backslash; env(1) does. */
function interpreter(path: string): string[] {
  return /["'\\]/.test(path) ? ['/usr/bin/env', path] : [path]
}

/** The `:` before the program keeps `$` as it is; `%` and what a quotation knows are doubled. */
function quoted(word: string): string {
  const text = specifierFree(word)
  if (/^[\w@+=:,./%-]+$/.test(text)) return text
  return `"${text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`
}

function specifierFree(text: string): string {
  return text.replaceAll('%', '%%')
}

function numbers(values: readonly number[] | undefined): string {
  return values?.map(value => String(value).padStart(2, '0')).join(',') ?? '*'
}
