import { ClawError } from '../../core/claw-error.ts'
import type { Action } from '../command.ts'
import { commands } from '../table.ts'

export const completion: Action = async ({ out }, [shell]) => {
  const script = { bash, zsh, fish }[shell as 'bash' | 'zsh' | 'fish']
  if (!script)
    throw new ClawError('usage', `no completion for ${shell}`, { hint: 'claw completion bash|zsh|fish' })
  out.result({ shell, script: script() }, script())
}

const globals = ['-C', '--json', '--now', '--quiet', '--help', '--version']

function longFlags(name: string): string[] {
  const options = commands.find(command => command.name === name)?.options ?? []
  return options.flatMap(option => /--[\w-]+/.exec(option.flags)?.[0] ?? [])
}

function verbs(group: string): string[] {
  return commands
    .filter(command => command.name.startsWith(`${group} `))
    .map(command => command.name.split(' ')[1]!)
}

function topWords(): string[] {
  return [...new Set(commands.map(command => command.name.split(' ')[0]!))]
}

function wordsAfter(top: string): string[] {
  const flags = [
    ...new Set(
      commands.filter(({ name }) => name.split(' ')[0] === top).flatMap(({ name }) => longFlags(name)),
    ),
  ]
  return [...verbs(top), ...flags, ...globals]
}

function bash(): string {
  const cases = topWords().map(top => `    ${top}) words="${wordsAfter(top).join(' ')}" ;;`)
  return [
    '# claw completion for bash',
    '_claw() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" words',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    `    *) words="${[...topWords(), ...globals].join(' ')}" ;;`,
    '  esac',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${[...topWords(), ...globals].join(' ')}"`,
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _claw claw',
  ].join('\n')
}

function zsh(): string {
  const cases = topWords().map(top => `    ${top}) compadd -- ${wordsAfter(top).join(' ')} ;;`)
  return [
    '#compdef claw',
    '_claw() {',
    '  if (( CURRENT == 2 )); then',
    `    compadd -- ${[...topWords(), ...globals].join(' ')}`,
    '    return',
    '  fi',
    '  case "$words[2]" in',
    ...cases,
    '  esac',
    '}',
    'compdef _claw claw',
  ].join('\n')
}

function fish(): string {
  const lines = topWords().flatMap(top => {
    const summary = commands.find(({ name }) => name.split(' ')[0] === top)!.summary.replaceAll("'", '')
    const seen = `__fish_seen_subcommand_from ${top}`
    return [
      `complete -c claw -n __fish_use_subcommand -a ${top} -d '${summary}'`,
      ...verbs(top).map(verb => `complete -c claw -n '${seen}' -a ${verb}`),
      ...wordsAfter(top)
        .filter(word => word.startsWith('--'))
        .map(flag => `complete -c claw -n '${seen}' -l ${flag.slice(2)}`),
    ]
  })
  return ['# claw completion for fish', 'complete -c claw -f', ...lines].join('\n')
}
