import { join } from 'node:path'
import { DecodeProblem } from '../../core/decode.ts'
import { decodeJob, type Job } from '../../core/job.ts'
import { isObject } from '../../core/json-schema.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import type { Inspected } from './fact.ts'
import { namesOf, readLenient } from './read-json.ts'

export type Timing = Pick<Job, 'agent' | 'name' | 'file' | 'schedule' | 'tz' | 'enabled'>

export interface Timings {
  jobs: Timing[]
  /** Job files that do not decode, with the reason. */
  broken: { file: string; why: string }[]
}

const cacheName = 'timings.json'

/** When each job of the workspace is due. What was decoded is kept until its file changes. */
export async function readTimings({ world, root, cache, agents }: Inspected): Promise<Timings> {
  const known = parsedJson(cache.read(cacheName) ?? '')
  const kept = isObject(known) ? known : {}
  const next: Record<string, unknown> = {}
  const timings: Timings = { jobs: [], broken: [] }
  for (const agent of agents) {
    for (const entry of namesOf(world.disk, join(root, 'agents', agent, 'jobs'), 'file')) {
      if (!entry.endsWith('.md')) continue
      const file = `agents/${agent}/jobs/${entry}`
      const stat = world.disk.stat(join(root, file))
      const key = `${file}:${stat?.sizeBytes}:${stat?.mtimeMs}`
      const timing = kept[key] ?? (await decoded(file, readLenient(world.disk, join(root, file))))
      if (typeof timing === 'string') timings.broken.push({ file, why: timing })
      else {
        next[key] = timing
        timings.jobs.push(timing as Timing)
      }
    }
  }
  const text = JSON.stringify(next)
  if (text !== JSON.stringify(kept)) cache.write(cacheName, text)
  return timings
}

/** The timing, or why there is none. */
async function decoded(file: string, text: string | undefined): Promise<Timing | string> {
  const [, agent = '', name = ''] = /^agents\/([^/]+)\/jobs\/(.+)\.md$/.exec(file) ?? []
  const parts = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n([^]*))?$/.exec(text ?? '')
  if (!parts) return 'no frontmatter'
  const { parse } = await import('yaml')
  try {
    const job = decodeJob(
      { agent, name, file },
      parse(parts[1] ?? '', { maxAliasCount: 100 }),
      parts[2] ?? '',
    )
    return { agent, name, file, schedule: job.schedule, tz: job.tz, enabled: job.enabled }
  } catch (error) {
    if (error instanceof DecodeProblem || (error instanceof Error && error.name.startsWith('YAML')))
      return error.message.split('\n')[0] ?? ''
    throw error
  }
}
