import type { CronField, CronFields } from './fields.ts'

/** Five fields that Debian's cron can read and that mean the same: names and wrapping ranges become numbers. */
export function crontabText({ minute, hour, day, month, weekday }: CronFields): string {
  return [minute, hour, day, month, weekday].map(fieldText).join(' ')
}

/** As it was written, unless cron would refuse it. */
function fieldText({ text, values, isStar }: CronField): string {
  if (isStar || /^[\d,]+$/.test(text)) return text
  return text.split(',').every(isPlainRange) ? text : listText(values)
}

function isPlainRange(item: string): boolean {
  const [, from, to] = /^(\d+)(?:-(\d+)(?:\/\d+)?)?$/.exec(item) ?? []
  return from !== undefined && (to === undefined || Number(from) <= Number(to))
}

/** `1,2,3,4,7` as `1-4,7`, and evenly spaced numbers as a range with a step. */
export function listText(values: readonly number[]): string {
  return stepText(values) ?? runs(values).map(runText).join(',')
}

function stepText(values: readonly number[]): string | undefined {
  const [first, second] = values
  if (values.length < 4 || first === undefined || second === undefined) return undefined
  const step = second - first
  const isEven = step > 1 && values.every((value, index) => value === first + index * step)
  return isEven ? `${first}-${values.at(-1)}/${step}` : undefined
}

function runs(values: readonly number[]): number[][] {
  const found: number[][] = []
  for (const value of values) {
    const last = found.at(-1)
    if (last?.at(-1) === value - 1) last.push(value)
    else found.push([value])
  }
  return found
}

function runText(run: readonly number[]): string {
  if (run.length < 3) return run.join(',')
  return `${run[0]}-${run.at(-1)}`
}
