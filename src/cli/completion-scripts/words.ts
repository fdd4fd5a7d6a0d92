import type { Command } from '../command.ts'

type Commands = readonly Command[]

export const globalFlags = ['-C', '--json', '--now', '--quiet', '--help', '--version']

export function longFlags({ options = [] }: Command): string[] {
  return options.flatMap(option => /--[\w-]+/.exec(option.flags)?.[0] ?? [])
}

export function verbsOf(commands: Commands, group: string): string[] {
  return commands
    .filter(command => command.name.startsWith(`${group} `))
    .map(command => command.name.split(' ')[1]!)
}

export function topWords(commands: Commands): string[] {
  return [...new Set(commands.map(command => command.name.split(' ')[0]!))]
}

export function wordsAfter(commands: Commands, top: string): string[] {
  const flags = commands.filter(({ name }) => name.split(' ')[0] === top).flatMap(longFlags)
  return [...verbsOf(commands, top), ...new Set(flags), ...globalFlags]
}

/** A place on the command line where the name of something in the workspace is wanted. */
export interface NamePlace {
  /** The command. */
  name: string
  /** Words before it that are no options, those of the command included. */
  before: number
  /** An agent, a job of the agent that was named just before, or `<agent>/<job>`. */
  wants: 'agent' | 'job-of' | 'job'
}

/** From the arguments of the commands: `<agent> [job]`, `<job>`. */
export function namePlaces(commands: Commands): NamePlace[] {
  return commands.flatMap(({ name, args = '' }) => {
    const given = args.split(' ').map(arg => arg.replaceAll(/[<>[\]]/g, ''))
    const words = name.split(' ').length
    return given.flatMap((arg, index): NamePlace[] => {
      if (arg === 'agent') return [{ name, before: words + index, wants: 'agent' }]
      if (arg !== 'job') return []
      return [{ name, before: words + index, wants: given[index - 1] === 'agent' ? 'job-of' : 'job' }]
    })
  })
}

/** Options whose value is the name of an agent or of a job. */
export const nameFlags = { agent: '--agent', job: '--job' } as const
