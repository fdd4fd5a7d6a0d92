import type { RunContext } from './open-run.ts'

/** A turn on `-m` has no job to say how long it may take. */
export const turnTimeoutMs = 180_000

export function timeoutOf({ job }: Pick<RunContext, 'job'>): number {
  return job?.timeout ?? turnTimeoutMs
}

/** Runs the body with a signal that aborts at the job's timeout; the body then ends by itself and records `timed_out`. */
export async function withDeadline<T>(
  run: RunContext,
  body: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const timeoutMs = timeoutOf(run)
  const stop = run.world.clock.timer(timeoutMs, () =>
    deadline.abort(new Error(`timed out after ${timeoutMs / 1000} s`)),
  )
  try {
    return await body(deadline.signal)
  } finally {
    stop()
  }
}
