import type { Command } from '../command.ts'
import { globalFlags, type NamePlace, nameFlags, namePlaces, topWords, wordsAfter } from './words.ts'

export function zshScript(commands: readonly Command[]): string {
  const cases = topWords(commands).map(
    top => `    ${top}) compadd -- ${wordsAfter(commands, top).join(' ')} ;;`,
  )
  return [
    '#compdef claw',
    ...listing,
    '_claw() {',
    '  local i',
    '  local -a said names',
    '  for ((i = 2; i < CURRENT; i++)); do',
    '    case "$words[i]" in',
    '      -C|--now) ((i++)) ;;',
    '      -*) ;;',
    '      *) said+=("$words[i]") ;;',
    '    esac',
    '  done',
    '  case "$words[CURRENT-1]" in',
    `    ${nameFlags.agent}) compadd -- $(_claw_agents); return ;;`,
    `    ${nameFlags.job}) compadd -- $(_claw_jobs); return ;;`,
    '  esac',
    '  case "$#said $said" in',
    ...namePlaces(commands).map(place => `    ${pattern(place)}) names=($(${call[place.wants]})) ;;`),
    '  esac',
    '  if (( $#names )) && [[ "$words[CURRENT]" != -* ]]; then',
    '    compadd -a names',
    '    return',
    '  fi',
    '  case "$said[1]" in',
    ...cases,
    `    *) compadd -- ${[...topWords(commands), ...globalFlags].join(' ')} ;;`,
    '  esac',
    '}',
    'compdef _claw claw',
  ].join('\n')
}

function pattern({ name, before }: NamePlace): string {
  const isOpen = before > name.split(' ').length
  return `"${before} ${name}${isOpen ? ' "*' : '"'}`
}

const call: Record<NamePlace['wants'], string> = {
  agent: '_claw_agents',
  'job-of': '_claw_jobs_of "$said[-1]"',
  job: '_claw_jobs',
}

const listing = [
  '_claw_root() {',
  '  local i dir="$CLAW_WORKSPACE"',
  '  for ((i = 2; i < CURRENT; i++)); do',
  '    [[ "$words[i]" == -C ]] && dir="${words[i+1]/#\\~/$HOME}"',
  '  done',
  '  if [[ -z "$dir" ]]; then',
  '    dir="$PWD"',
  '    while [[ -n "$dir" && ! -e "$dir/claw.yaml" ]]; do dir="${dir%/*}"; done',
  '  fi',
  '  print -r -- "$dir"',
  '}',
  '_claw_agents() {',
  '  local root="$(_claw_root)"',
  '  print -rl -- "$root"/agents/*(N/:t)',
  '}',
  '_claw_jobs_of() {',
  '  local root="$(_claw_root)"',
  '  print -rl -- "$root/agents/$1"/jobs/*.md(N:t:r)',
  '}',
  '_claw_jobs() {',
  '  local agent job',
  '  for agent in $(_claw_agents); do',
  '    for job in $(_claw_jobs_of "$agent"); do print -r -- "$agent/$job"; done',
  '  done',
  '}',
]
