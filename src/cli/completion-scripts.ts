import type { Command } from './command.ts'
import { bashScript } from './completion-scripts/bash.ts'
import { fishScript } from './completion-scripts/fish.ts'
import { zshScript } from './completion-scripts/zsh.ts'

/**
 * Shell to script, made from the command table. Names of agents and jobs are listed by
 * the shell itself, from the folders of the workspace, so that a key press starts nothing.
 */
export function completionScripts(commands: readonly Command[]): Map<string, string> {
  return new Map([
    ['bash', bashScript(commands)],
    ['zsh', zshScript(commands)],
    ['fish', fishScript(commands)],
  ])
}
