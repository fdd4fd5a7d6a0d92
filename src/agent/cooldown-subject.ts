import { type Cooldowns, coolingUntil } from '../core/cooldown.ts'
import { type FailureClass, failureRules } from '../core/failure.ts'
import type { Millis } from '../core/millis.ts'
import { sha256 } from '../world/hash.ts'
import type { ModelLink } from './model.ts'

/**
 * Who of `cooldowns` this link stands for: its model, and the credential behind it. Nobody
 * where there is no network. The names are only made when there is one to compare: a
 * hash costs a start that has no other use for it 5 ms.
 */
export function subjectsIn(cooldowns: Cooldowns, link: ModelLink): string[] {
  if (!isRemote(link) || Object.keys(cooldowns).length === 0) return []
  return [modelSubject(link), credentialSubject(link)].filter(subject => cooldowns[subject] !== undefined)
}

/** Until when this link is left alone; a link that needs no network never rests. */
export function restingUntil(cooldowns: Cooldowns, link: ModelLink, now: Millis): Millis | undefined {
  const untils = subjectsIn(cooldowns, link).flatMap(subject => coolingUntil(cooldowns, subject, now) ?? [])
  return untils.length === 0 ? undefined : Math.max(...untils)
}

/** Who rests after a failure of this class. */
export function subjectFor(link: ModelLink, why: FailureClass): string | undefined {
  const { cools } = failureRules[why]
  if (cools === 'nobody' || !isRemote(link)) return undefined
  return cools === 'model' ? modelSubject(link) : credentialSubject(link)
}

function isRemote({ api }: ModelLink): boolean {
  return api !== 'offline'
}

function modelSubject({ ref }: ModelLink): string {
  return `model:${ref}`
}

/** A new key is a new credential, so that putting in a good one ends the rest of a bad one. */
function credentialSubject({ provider, apiKey }: ModelLink): string {
  return apiKey === undefined
    ? `credential:${provider}`
    : `credential:${provider}:${sha256(apiKey).slice(0, 8)}`
}
