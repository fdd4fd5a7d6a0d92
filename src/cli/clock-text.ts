import { fromIso, hourMs, type Millis, minuteMs } from '../core/millis.ts'
import type { World } from '../world/world.ts'

/** `Mon 2026-11-30 08:30`, as people in that zone read it. */
export function clockText(
  { clock }: Pick<World, 'clock'>,
  moment: Millis | string,
  timeZone: string,
): string {
  const at = typeof moment === 'string' ? fromIso(moment) : moment
  if (at === undefined) return String(moment)
  const { weekdayName, date, time } = clock.local(at, timeZone)
  return `${weekdayName.slice(0, 3)} ${date} ${time}`
}

/** `11-30 08:30`, where there is little room. */
export function shortClockText(
  { clock }: Pick<World, 'clock'>,
  moment: Millis | string,
  timeZone: string,
): string {
  return clockText({ clock }, moment, timeZone).slice('Mon 2026-'.length)
}

/** `3h late`; within a minute it is on time. */
export function lateText(lateMs: number): string {
  if (lateMs < minuteMs) return 'on time'
  if (lateMs < 2 * hourMs) return `${Math.round(lateMs / minuteMs)}m late`
  return `${Math.round(lateMs / hourMs)}h late`
}
