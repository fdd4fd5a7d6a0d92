import { ClawError } from '../../core/claw-error.ts'
import type { Action } from '../command.ts'
import { completionScripts } from '../completion-scripts.ts'
import { commands } from '../table.ts'

export const completion: Action = async ({ out }, [shell]) => {
  const scripts = completionScripts(commands)
  const script = scripts.get(shell ?? '')
  if (script === undefined) {
    throw new ClawError('usage', `no completion for ${shell}`, {
      hint: `claw completion ${[...scripts.keys()].join('|')}`,
    })
  }
  out.result({ shell, script }, script)
}
