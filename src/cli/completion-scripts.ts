import type { Command } from './command.ts'

type Commands = readonly Command[]

/** Shell to script, made from the command table. */
export function completionScripts(commands: Commands): Map<string, string> {
  return new Map([
    ['bash', bash(commands)],
    ['zsh', zsh(commands)],
    ['fish', fish(commands)],
  ])
}

const globalFlags = ['-C', '--json', '--now', '--quiet', '--help', '--version']

function longFlags({ options = [] }: Command): string[] {
  return options.flatMap(option => /--[\w-]+/.exec(option.flags)?.[0] ?? [])
}

function verbsOf(commands: Commands, group: string): string[] {
  return commands
    .filter(command => command.name.startsWith(`${group} `))
    .map(command => command.name.split(' ')[1]!)
}

function topWords(commands: Commands): string[] {
  return [...new Set(commands.map(command => command.name.split(' ')[0]!))]
}

function wordsAfter(commands: Commands, top: string): string[] {
  const flags = commands.filter(({ name }) => name.split(' ')[0] === top).flatMap(longFlags)
  return [...verbsOf(commands, top), ...new Set(flags), ...globalFlags]
}

function bash(commands: Commands): string {
  const cases = topWords(commands).map(top => `    ${top}) words="${wordsAfter(commands, top).join(' ')}" ;;`)
  return [
    '# claw completion for bash',
    '_claw() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" words',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    `    *) words="${[...topWords(commands), ...globalFlags].join(' ')}" ;;`,
    '  esac',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${[...topWords(commands), ...globalFlags].join(' ')}"`,
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _claw claw',
  ].join('\n')
}

function zsh(commands: Commands): string {
  const cases = topWords(commands).map(
    top => `    ${top}) compadd -- ${wordsAfter(commands, top).join(' ')} ;;`,
  )
  return [
    '#compdef claw',
    '_claw() {',
    '  if (( CURRENT == 2 )); then',
    `    compadd -- ${[...topWords(commands), ...globalFlags].join(' ')}`,
    '    return',
    '  fi',
    '  case "$words[2]" in',
    ...cases,
    '  esac',
    '}',
    'compdef _claw claw',
  ].join('\n')
}

function fish(commands: Commands): string {
  const lines = topWords(commands).flatMap(top => {
    const summary = commands.find(({ name }) => name.split(' ')[0] === top)!.summary.replaceAll("'", '')
    const seen = `__fish_seen_subcommand_from ${top}`
    return [
      `complete -c claw -n __fish_use_subcommand -a ${top} -d '${summary}'`,
      ...verbsOf(commands, top).map(verb => `complete -c claw -n '${seen}' -a ${verb}`),
      ...wordsAfter(commands, top)
        .filter(word => word.startsWith('--'))
        .map(flag => `complete -c claw -n '${seen}' -l ${flag.slice(2)}`),
    ]
  })
  return ['# claw completion for fish', 'complete -c claw -f', ...lines].join('\n')
}
