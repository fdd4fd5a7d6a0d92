import type { SimulatedDay, SimulateRequest } from '../flows/simulate.ts'
import type { Terminal } from '../world/terminal.ts'
import type { CommandContext } from './command.ts'

/** A bar on a terminal, else a line for each month. */
export function progressOf(
  { world: { terminal }, out, globals }: CommandContext,
  { days }: Pick<SimulateRequest, 'days'>,
): { day: (day: SimulatedDay) => void; end: () => void } {
  if (globals.quiet) return { day: () => {}, end: () => {} }
  let problems = 0
  let month = ''
  return {
    day: ({ day, date, problems: found }) => {
      problems += found
      if (terminal.errIsTty) terminal.err(`\r${barText(terminal, { day, days, date, problems })}`)
      else if (date.slice(0, 7) !== month)
        out.note(`${date}: day ${day} of ${days}, ${problems} broken invariants`)
      month = date.slice(0, 7)
    },
    end: () => {
      if (terminal.errIsTty) terminal.err('\r\u001B[K')
    },
  }
}

interface Progress {
  day: number
  days: number
  date: string
  problems: number
}

function barText({ columns }: Terminal, { day, days, date, problems }: Progress): string {
  const told = ` ${date}  ${day}/${days}${problems > 0 ? `  ${problems} broken` : ''}`
  const room = Math.max(0, Math.min(40, columns - told.length - 3))
  const full = Math.round((room * day) / days)
  return `[${'#'.repeat(full)}${'.'.repeat(room - full)}]${told}`
}
