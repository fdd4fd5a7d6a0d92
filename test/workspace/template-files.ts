import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJob, type Job } from '../../src/core/job.ts'
import { parseDoc } from '../../src/store/doc.ts'
import { repoDir } from '../shared.ts'

export const templateDir = join(repoDir, 'workspace')

export const agents = ['zoe', 'ainews', 'trading', 'macro', 'content', 'butler']

export function readTemplate(...parts: string[]): string {
  return readFileSync(join(templateDir, ...parts), 'utf8')
}

/** Paths of all files of the template, relative to it. */
function everyFile(): string[] {
  return readdirSync(templateDir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(templateDir.length + 1))
}

/** The same without the sample sources. */
export function templateFiles(): string[] {
  return everyFile().filter(path => !path.startsWith('sources'))
}

/** The whole template with its bytes, as a workspace in memory takes it. */
export function templateTree(): Record<string, Uint8Array> {
  return Object.fromEntries(everyFile().map(path => [path, readFileSync(join(templateDir, path))]))
}

export async function templateJobs(): Promise<Job[]> {
  const jobs: Job[] = []
  for (const agent of agents) {
    for (const entry of readdirSync(join(templateDir, 'agents', agent, 'jobs'))) {
      const file = `agents/${agent}/jobs/${entry}`
      const doc = await parseDoc(file, readTemplate(file))
      jobs.push(decodeJob({ agent, name: entry.replace(/\.md$/, ''), file }, doc.value, doc.body))
    }
  }
  return jobs
}
