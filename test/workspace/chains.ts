import { isTeamPath, type Job, jobKey } from '../../src/core/job.ts'

/** Written by claw itself, or by an agent as it goes. */
const made = [
  /^shared-context\/(job-status|agent-runs|status|inspections|followups)\//,
  /^agents\/[^/]+\/(\.learnings|memory)\//,
  /^agents\/[^/]+\/(MEMORY|USER|HEARTBEAT|hypotheses)\.md$/,
]

/** `job: path` for each path that a job that is on needs or gathers and that nothing makes. */
export function missingLinks(jobs: readonly Job[], shipped: readonly string[]): string[] {
  const active = jobs.filter(({ enabled }) => enabled)
  const produced = active.flatMap(job => job.produces.map(({ file }) => fromWorkspace(job.agent, file)))
  const promised = active
    .filter(({ tools }) => /\bshared(_write)?\b/.test(tools.join()))
    .flatMap(({ prompt }) => [...prompt.matchAll(/shared-context\/[\w./{}-]+\.\w+/g)].map(([path]) => path))
  const known = [...produced, ...promised, ...shipped].map(plainNames)
  const isKnown = (path: string): boolean =>
    made.some(pattern => pattern.test(path)) || known.some(one => isLike(plainNames(path), one))
  return active.flatMap(job =>
    pathsOf(job)
      .filter(path => !isKnown(path))
      .map(path => `${jobKey(job)}: ${path}`),
  )
}

function pathsOf({ agent, needs, gather }: Job): string[] {
  const gathered = gather.flatMap(({ with: { files } }) => (Array.isArray(files) ? files.map(String) : []))
  return [...needs.map(({ file }) => fromWorkspace(agent, file)), ...gathered].map(path =>
    path.replaceAll('{agent}', agent),
  )
}

function fromWorkspace(agent: string, path: string): string {
  return isTeamPath(path) ? path : `agents/${agent}/${path}`
}

/** The same day under any name: what a job made yesterday is what another reads as `*` or `{yesterday}`. */
function plainNames(path: string): string {
  return path.replaceAll(/\{\w+\}/g, 'x')
}

function isLike(pattern: string, path: string): boolean {
  const escaped = pattern.replaceAll(/[.+^$()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
  return new RegExp(`^${escaped}$`).test(path)
}
