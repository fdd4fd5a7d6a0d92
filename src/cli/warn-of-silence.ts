import { scheduleState } from '../flows/schedule/missed-slots.ts'
import type { CommandContext } from './command.ts'

/** Silence is an alarm: the next person who looks is told which slots were missed while no tick came. */
export async function warnOfSilence({
  world,
  root,
  out,
}: Pick<CommandContext, 'world' | 'root' | 'out'>): Promise<void> {
  const { warning } = await scheduleState(world, root())
  if (warning !== undefined) out.warn(warning)
}
