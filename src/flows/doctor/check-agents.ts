import { assembleSystem } from '../../agent/prompt.ts'
import { bootstrapDefaults } from '../../core/config.ts'
import { agentNames } from '../../records/agents.ts'
import { readBootstrap } from '../../records/bootstrap.ts'
import type { Check, Repairable } from './finding.ts'

const check = 'agents'

/** What each agent is shown of its own files: missing rules, cuts, conflict markers. */
export const checkAgents: Check = ({ world, root, config }) => {
  const names = agentNames(world.disk, root)
  if (names.length === 0) return [{ level: 'error', check, path: 'agents', text: 'there is no agent' }]
  const budget = config?.bootstrap ?? bootstrapDefaults
  return names.flatMap(agent => {
    const { parts } = assembleSystem(
      readBootstrap(world.disk, root, agent, { withHeartbeat: true }),
      budget,
      '',
    )
    return parts.flatMap((part): Repairable[] => {
      const path = part.path || `agents/${agent}`
      if (part.state === 'missing' && part.name === 'SOUL.md')
        return [{ level: 'error', check, path, text: 'the rules of this agent are missing' }]
      if (part.warning) return [{ level: 'warning', check, path, text: part.warning }]
      if (part.state === 'cut')
        return [
          {
            level: 'warning',
            check,
            path,
            text: `cut in the prompt: ${part.chars} of ${part.rawChars} characters are shown`,
          },
        ]
      return []
    })
  })
}
