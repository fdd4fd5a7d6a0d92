import { relative } from 'node:path'
import { foldJobStatus, type JobStatus } from '../../core/run.ts'
import { agentNames } from '../../records/agents.ts'
import { jobStatusFile } from '../../records/paths.ts'
import { peekJobStatus, peekRuns } from '../../records/runs.ts'
import { readJsonFile, replaceJson } from '../../store/json-file.ts'
import type { Check, Repairable } from './finding.ts'

const check = 'job-status'

/** How many of an agent's latest runs the derived states are compared with. */
const depth = 500

/** The derived latest states agree with the run log; where not, they are made again from it. */
export const checkStatus: Check = ({ world, root }) => {
  const findings: Repairable[] = []
  for (const agent of agentNames(world.disk, root)) {
    const latest = new Map<string, JobStatus>()
    for (const record of peekRuns(world.disk, root, agent, depth).toReversed()) {
      if (record.job !== null) latest.set(record.job, foldJobStatus(latest.get(record.job), record))
    }
    for (const [job, status] of latest) {
      const file = jobStatusFile(root, agent, job)
      const found = peekJobStatus(world.disk, root, agent, job)
      if (found && found.at >= status.at) continue
      const state = readJsonFile(world.disk, file).state
      findings.push({
        level: 'warning',
        check,
        path: relative(root, file),
        text:
          state === 'damaged'
            ? 'cannot be read'
            : state === 'absent'
              ? 'is missing'
              : 'is older than the last run',
        fix: 'make it again from the run log',
        repair: () => replaceJson(world, file, status),
      })
    }
  }
  return findings
}
