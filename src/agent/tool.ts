import type { JsonSchema } from '../core/json-schema.ts'
import type { ToolCall } from '../core/message.ts'

/** Where a tool result's text comes from; a later layer decides on it what untrusted text may cause. */
export type Provenance = 'harness' | 'workspace' | 'program' | 'web' | 'model'

export interface ToolResult {
  /** What the model is shown. */
  text: string
  isError: boolean
  provenance: Provenance
  /** For the transcript and `runs show`; never sent to a model. */
  details?: Record<string, unknown>
  /** Structured value of `finish`. */
  value?: unknown
}

export interface ToolContext {
  signal: AbortSignal
  call: ToolCall
}

export interface Tool {
  name: string
  /** One sentence for the model. */
  description: string
  parameters: JsonSchema
  /** True when running it twice may differ from running it once. */
  hasEffect: boolean
  /** Never throws for what a model can cause; such a failure is a result with `isError`. */
  run(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult>
}
