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
    'limits.spend.run': limits.spend.run,
  })
}

/** The same of a job. */
export function jobKeysWithoutEffect({ skills }: Job): string[] {
  return keysSet({ skills: skills.length > 0 ? skills : undefined })
}

export function withoutEffectText(key: string): string {
  return `\`${key}\` is set and has no effect in this version`
}

function keysSet(values: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(values).filter(key => values[key] !== undefined && values[key] !== null)
}
