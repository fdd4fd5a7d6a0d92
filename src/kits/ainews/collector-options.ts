import { ClawError } from '../../core/claw-error.ts'
import { type Decode, DecodeProblem } from '../../core/decode.ts'

/** The decoded `with:` of a job; throws `ClawError` that names the collector. */
export function decodeOptions<T>(collector: string, decode: Decode<T>, options: Record<string, unknown>): T {
  try {
    return decode(options, [])
  } catch (error) {
    if (!(error instanceof DecodeProblem)) throw error
    throw new ClawError('config-invalid', `${collector}: ${error.message}`, { cause: error })
  }
}
