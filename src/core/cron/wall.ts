import { Cron } from 'croner'
import { type Millis, minuteMs, secondMs } from '../millis.ts'
import type { CronField, CronFields } from './fields.ts'

/**
 * The times of one expression on a clock that is never changed. A wall time is
 * written as the `Millis` that UTC would have, so no time zone is involved.
 */
export interface WallTimes {
  /** The first at or after `wall`. */
  from: (wall: Millis) => Millis | undefined
  /** The last at or before `wall`. */
  upTo: (wall: Millis) => Millis | undefined
}

export function wallTimes(fields: CronFields): WallTimes {
  let made: Cron | undefined
  const cron = (): Cron => (made ??= cronOf(fields))
  return {
    from: wall =>
      cron()
        .nextRun(new Date(Math.ceil(wall / minuteMs) * minuteMs - secondMs))
        ?.getTime(),
    upTo: wall => {
      const after = Math.floor(wall / minuteMs) * minuteMs + secondMs
      return cron().previousRuns(1, new Date(after))[0]?.getTime()
    },
  }
}

/** Takes 0.3 ms in a young process, so it waits until it is asked. */
function cronOf(fields: CronFields): Cron {
  return new Cron(plainText(fields), {
    utcOffset: 0,
    mode: '5-part',
    paused: true,
    domAndDow: isBothDays(fields),
  })
}

/** As in cron: two restricted day fields are alternatives, unless one of them begins with `*`. */
export function isBothDays({ day, weekday }: CronFields): boolean {
  return day.isStar || weekday.isStar
}

function plainText({ minute, hour, day, month, weekday }: CronFields): string {
  return [minute, hour, day, month, weekday].map(plainField).join(' ')
}

function plainField({ text, values }: CronField): string {
  return text === '*' ? text : values.join(',')
}
