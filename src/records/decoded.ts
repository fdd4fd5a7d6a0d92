import { ClawError } from '../core/claw-error.ts'
import { DecodeProblem, type Path } from '../core/decode.ts'

/** Line and column, both from 1, of a member of a document. */
export type Locate = (path: (string | number)[]) => { line: number; column: number }

/** Runs a decoder; what it refuses becomes one line `file:line:column: why`. */
export function decodedFrom<T>(file: string, locate: Locate, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (error instanceof DecodeProblem) throw configInvalid(file, locate, error.path, error.message)
    throw error
  }
}

export function configInvalid(file: string, locate: Locate, path: Path, why: string): ClawError {
  const { line, column } = locate([...path])
  return new ClawError('config-invalid', `${file}:${line}:${column}: ${why}`)
}
