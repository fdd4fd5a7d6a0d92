import type { Command } from '../command.ts'
import { globalFlags, type NamePlace, nameFlags, namePlaces, topWords, wordsAfter } from './words.ts'

/** Works in the bash 3.2 of macOS as well. */
export function bashScript(commands: readonly Command[]): string {
  const cases = topWords(commands).map(top => `    ${top}) words="${wordsAfter(commands, top).join(' ')}" ;;`)
  return [
    '# claw completion for bash',
    ...listing,
    '_claw() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" words names= i',
    '  local -a said',
    '  said=()',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    '    case "${COMP_WORDS[i]}" in',
    '      -C | --now) i=$((i + 1)) ;;',
    '      -*) ;;',
    '      *) said+=("${COMP_WORDS[i]}") ;;',
    '    esac',
    '  done',
    '  case "${said[0]}" in',
    ...cases,
    `    *) words="${[...topWords(commands), ...globalFlags].join(' ')}" ;;`,
    '  esac',
    '  case "${COMP_WORDS[COMP_CWORD-1]}" in',
    `    ${nameFlags.agent}) words="$(_claw_agents)" ;;`,
    `    ${nameFlags.job}) words="$(_claw_jobs)" ;;`,
    '    *)',
    '      case "${#said[@]} ${said[*]}" in',
    ...namePlaces(commands).map(place => `        ${pattern(place)}) names="$(${call[place.wants]})" ;;`),
    '      esac',
    '      [ -n "$names" ] && [ "${current:0:1}" != - ] && words="$names"',
    '      ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _claw claw',
  ].join('\n')
}

function pattern({ name, before }: NamePlace): string {
  const isOpen = before > name.split(' ').length
  return `"${before} ${name}${isOpen ? ' "*' : '"'}`
}

const call: Record<NamePlace['wants'], string> = {
  agent: '_claw_agents',
  'job-of': '_claw_jobs_of "${said[${#said[@]}-1]}"',
  job: '_claw_jobs',
}

const listing = [
  '_claw_root() {',
  '  local i dir="$CLAW_WORKSPACE"',
  '  for ((i = 1; i < COMP_CWORD; i++)); do',
  '    [ "${COMP_WORDS[i]}" = -C ] && dir="${COMP_WORDS[i+1]/#\\~/$HOME}"',
  '  done',
  '  if [ -z "$dir" ]; then',
  '    dir="$PWD"',
  '    while [ -n "$dir" ] && [ ! -e "$dir/claw.yaml" ]; do dir="${dir%/*}"; done',
  '  fi',
  '  printf "%s" "$dir"',
  '}',
  '_claw_agents() {',
  '  local dir',
  '  for dir in "$(_claw_root)"/agents/*/; do',
  '    dir="${dir%/}"',
  '    [ -d "$dir" ] && printf "%s\\n" "${dir##*/}"',
  '  done',
  '}',
  '_claw_jobs_of() {',
  '  local file',
  '  for file in "$(_claw_root)/agents/$1"/jobs/*.md; do',
  '    file="${file##*/}"',
  '    [ "$file" = "*.md" ] || printf "%s\\n" "${file%.md}"',
  '  done',
  '}',
  '_claw_jobs() {',
  '  local agent job',
  '  for agent in $(_claw_agents); do',
  '    for job in $(_claw_jobs_of "$agent"); do printf "%s\\n" "$agent/$job"; done',
  '  done',
  '}',
]
