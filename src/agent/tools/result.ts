import type { Provenance, ToolResult } from '../tool.ts'

/** A plain answer. */
export function answer(text: string, provenance: Provenance, details?: Record<string, unknown>): ToolResult {
  return { text, isError: false, provenance, ...(details && { details }) }
}

/** What went wrong, in one sentence that says what to do. */
export function failure(why: string, details?: Record<string, unknown>): ToolResult {
  return { text: why, isError: true, provenance: 'harness', ...(details && { details }) }
}

/** The policy said no. A run that needed it is no success, so it is told apart from a mistake. */
export function denial(why: string, reason: string): ToolResult {
  return failure(`refused: ${why}`, { denied: true, reason, why })
}

export function isDenied(result: ToolResult): boolean {
  return result.details?.['denied'] === true
}
