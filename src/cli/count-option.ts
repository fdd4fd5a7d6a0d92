import { ClawError } from '../core/claw-error.ts'
import { type Options, textOption } from './command.ts'

const most = 10_000

/** A whole number from 1; throws `usage` for anything else. */
export function countOption(options: Options, name: string, otherwise: number): number {
  const given = textOption(options, name)
  if (given === undefined) return otherwise
  const count = Number(given)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw new ClawError('usage', `--${name} must be a whole number from 1 to ${most}, not ${given}`)
}
