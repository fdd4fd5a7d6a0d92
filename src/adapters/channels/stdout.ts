import { neutral } from '../../core/neutral.ts'
import type { Terminal } from '../../world/terminal.ts'
import type { Channel } from './channel.ts'

/** Prints for whoever looks. Blind: what was printed cannot be known after a crash. */
export function stdoutChannel(name: string, terminal: Pick<Terminal, 'out'>): Channel {
  return {
    name,
    kind: 'blind',
    maxUnits: undefined,
    async send(text) {
      terminal.out(`${neutral(text).trimEnd()}\n`)
      return { kind: 'sent' }
    },
  }
}
