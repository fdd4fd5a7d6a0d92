import { nearest } from '../nearest.ts'
import type { Check, CheckContext } from './check.ts'
import { maxLength, maxLineLength, minItems, minLength, notEmpty } from './counts.ts'
import { confidence } from './discipline/confidence.ts'
import { counterArgument } from './discipline/counter-argument.ts'
import { factorSources } from './discipline/factor-sources.ts'
import { factsAndJudgments } from './discipline/facts-and-judgments.ts'
import { stopLoss } from './discipline/stop-loss.ts'
import { everyItemLinks, linksFromEvidence } from './links.ts'
import { maxShare } from './max-share.ts'
import { noPlaceholders } from './no-placeholders.ts'
import { numbersFromEvidence } from './numbers-from-evidence.ts'
import { sections } from './sections.ts'

export interface Problem {
  check: string
  /** One line that a model can act on. */
  why: string
}

/** What a job may name in `check:`. */
export const checks: readonly Check[] = [
  notEmpty,
  minItems,
  everyItemLinks,
  linksFromEvidence,
  sections,
  numbersFromEvidence,
  maxShare,
  maxLength,
  maxLineLength,
  minLength,
  noPlaceholders,
  stopLoss,
  confidence,
  factorSources,
  factsAndJudgments,
  counterArgument,
]

export const checkNames: readonly string[] = checks.map(({ name }) => name)

/** What is wrong with the checks themselves, before any text is there; empty when they can run. */
export function checkSpecProblems(spec: Readonly<Record<string, unknown>>): Problem[] {
  return active(spec).flatMap(([name, argument]) => {
    const check = find(name)
    if (!check) return [{ check: name, why: unknownCheck(name) }]
    return check.isArgument(argument) ? [] : [{ check: name, why: `needs ${check.takes}` }]
  })
}

export type ChecksContext = Omit<CheckContext, 'argument'> & {
  /** What `{date}` and the like in arguments stand for. */
  names?: Readonly<Record<string, string>>
}

/** Runs every check that is named. A check that cannot run is a problem too, never a pass. */
export function checkProblems(
  spec: Readonly<Record<string, unknown>>,
  text: string,
  context: ChecksContext,
): Problem[] {
  const { names = {}, ...rest } = context
  const found = active(spec).flatMap(([name, given]) => {
    const argument = filled(given, names)
    const check = find(name)
    if (!check?.isArgument(argument)) return []
    return check.problems(text, { ...rest, argument }).map(why => ({ check: name, why }))
  })
  return [...checkSpecProblems(spec), ...found]
}

/** The same as lines for the model and the record. */
export function runChecks(
  spec: Readonly<Record<string, unknown>>,
  text: string,
  context: ChecksContext,
): string[] {
  return checkProblems(spec, text, context).map(({ check, why }) => `${why} (${check})`)
}

function filled(argument: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof argument === 'string')
    return argument.replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole)
  return Array.isArray(argument) ? argument.map(member => filled(member, names)) : argument
}

/** `false` and nothing switch a check off. */
function active(spec: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(spec).filter(
    ([, argument]) => argument !== false && argument !== undefined && argument !== null,
  )
}

function find(name: string): Check | undefined {
  return checks.find(check => check.name === name)
}

function unknownCheck(name: string): string {
  const near = nearest(name, checkNames)
  return `there is no such check${near === undefined ? '' : `, did you mean ${near}?`}; known are ${checkNames.join(', ')}`
}
