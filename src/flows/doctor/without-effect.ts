import type { Config } from '../../core/config.ts'
import type { Job } from '../../core/job.ts'

/** Keys of `claw.yaml` that are set, and that nothing in this version acts on yet. */
export function configKeysWithoutEffect(config: Config): string[] {
  const { compaction, contextPruning, session, coders, limits } = config
  return keysSet({
    compaction,
    contextPruning,
    session,
    coders,
    'limits.concurrentRuns': limits.concurrentRuns,
    'limits.spend.run': limits.spend.run,
  })
}

/** The same of a job. */
export function jobKeysWithoutEffect({ catchup, skills, deliver }: Job): string[] {
  return keysSet({
    catchup,
    skills: skills.length > 0 ? skills : undefined,
    'deliver.mode: on-alert': deliver?.mode === 'on-alert' ? deliver : undefined,
  })
}

export function withoutEffectText(key: string): string {
  return `\`${key}\` is set and has no effect in this version`
}

function keysSet(values: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(values).filter(key => values[key] !== undefined && values[key] !== null)
}
