/** One tool call that was made, as the guard sees it. */
export interface GuardedCall {
  name: string
  /** Equal for equal arguments; any digest. */
  argsKey: string
  /** Equal for equal results; any digest. */
  resultKey: string
  /** False for a tool that does not exist. */
  isKnown: boolean
}

/** Of one run, oldest first; only the last `memoryCalls` are kept. */
export type GuardState = readonly GuardedCall[]

export type GuardVerdict = { kind: 'fine' } | { kind: 'warn'; why: string } | { kind: 'stop'; why: string }

const memoryCalls = 40
const sameCall = { warn: 3, stop: 5 }
const unknownTool = { warn: 2, stop: 4 }
/** A pair of calls in turn, whatever they give back. */
const pairs = { warn: 4, stop: 6 }

export const noCalls: GuardState = []

/** Every repeat that reaches a limit is judged; the harshest verdict counts. */
export function guardCall(
  state: GuardState,
  call: GuardedCall,
): { state: GuardState; verdict: GuardVerdict } {
  const calls = [...state, call].slice(-memoryCalls)
  const verdicts = [
    judged(
      count(calls, other => isSame(other, call)),
      sameCall,
      times => `${call.name} gave the same result to the same call ${times} times`,
    ),
    call.isKnown
      ? fine
      : judged(
          count(calls, other => !other.isKnown),
          unknownTool,
          times => `tools that do not exist were called ${times} times`,
        ),
    judged(pairsInTurn(calls), pairs, times => `two calls took turns ${times} times`),
  ]
  const worst =
    verdicts.find(({ kind }) => kind === 'stop') ?? verdicts.find(({ kind }) => kind === 'warn') ?? fine
  return { state: calls, verdict: worst }
}

const fine: GuardVerdict = { kind: 'fine' }

function judged(
  times: number,
  limits: { warn: number; stop: number },
  why: (times: number) => string,
): GuardVerdict {
  if (times >= limits.stop) return { kind: 'stop', why: why(times) }
  return times >= limits.warn ? { kind: 'warn', why: why(times) } : fine
}

function count(calls: GuardState, matches: (call: GuardedCall) => boolean): number {
  return calls.filter(matches).length
}

function isSame(left: GuardedCall, right: GuardedCall): boolean {
  return isSameAsk(left, right) && left.resultKey === right.resultKey
}

function isSameAsk(left: GuardedCall, right: GuardedCall): boolean {
  return left.name === right.name && left.argsKey === right.argsKey
}

/** How often the last two different calls have alternated, counted back from the end. */
function pairsInTurn(calls: GuardState): number {
  const last = calls.at(-1)
  const other = calls.at(-2)
  if (!last || !other || isSameAsk(last, other)) return 0
  let length = 0
  for (let back = 1; back <= calls.length; back += 1) {
    const expected = back % 2 === 1 ? last : other
    const call = calls.at(-back)
    if (!call || !isSameAsk(call, expected)) break
    length += 1
  }
  return Math.floor(length / 2)
}
