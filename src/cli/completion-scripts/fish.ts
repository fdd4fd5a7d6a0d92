import type { Command } from '../command.ts'
import { type NamePlace, nameFlags, namePlaces, topWords, verbsOf, wordsAfter } from './words.ts'

export function fishScript(commands: readonly Command[]): string {
  const lines = topWords(commands).flatMap(top => {
    const summary = commands.find(({ name }) => name.split(' ')[0] === top)!.summary.replaceAll("'", '')
    const seen = `__fish_seen_subcommand_from ${top}`
    return [
      `complete -c claw -n __fish_use_subcommand -a ${top} -d '${summary}'`,
      ...verbsOf(commands, top).map(verb => `complete -c claw -n '${seen}' -a ${verb}`),
      ...wordsAfter(commands, top)
        .filter(word => word.startsWith('--'))
        .map(flag => `complete -c claw -n '${seen}' -l ${flag.slice(2)}${valueOf(flag)}`),
    ]
  })
  const names = namePlaces(commands).map(
    place => `complete -c claw -n '__claw_at ${place.before} ${place.name}' -a '(${call[place.wants]})'`,
  )
  return ['# claw completion for fish', ...listing, 'complete -c claw -f', ...lines, ...names].join('\n')
}

function valueOf(flag: string): string {
  if (flag === nameFlags.agent) return " -x -a '(__claw_agents)'"
  return flag === nameFlags.job ? " -x -a '(__claw_jobs)'" : ''
}

const call: Record<NamePlace['wants'], string> = {
  agent: '__claw_agents',
  'job-of': '__claw_jobs_of (__claw_said)[-1]',
  job: '__claw_jobs',
}

const listing = [
  'function __claw_said',
  '  set -l skips 0',
  '  for word in (commandline -opc)[2..-1]',
  '    if test $skips = 1',
  '      set skips 0',
  '    else if contains -- $word -C --now',
  '      set skips 1',
  "    else if not string match -q -- '-*' $word",
  '      echo $word',
  '    end',
  '  end',
  'end',
  'function __claw_at',
  '  set -l said (__claw_said)',
  '  set -l command $argv[2..-1]',
  '  test (count $said) -eq $argv[1]',
  '  and test "$said[1..(count $command)]" = "$command"',
  'end',
  'function __claw_root',
  '  set -l given (commandline -opc)',
  '  for i in (seq (count $given))',
  '    if test "$given[$i]" = -C; and test $i -lt (count $given)',
  "      string replace -r '^~' $HOME -- $given[(math $i + 1)]",
  '      return',
  '    end',
  '  end',
  '  if test -n "$CLAW_WORKSPACE"',
  '    echo $CLAW_WORKSPACE',
  '    return',
  '  end',
  '  set -l dir $PWD',
  '  while test -n "$dir"; and not test -e "$dir/claw.yaml"',
  "    set dir (string replace -r '/[^/]*$' '' -- $dir)",
  '  end',
  '  echo $dir',
  'end',
  'function __claw_agents',
  '  for dir in (__claw_root)/agents/*/',
  "    string replace -r '.*/([^/]+)/$' '$1' -- $dir",
  '  end',
  'end',
  'function __claw_jobs_of',
  '  for file in (__claw_root)/agents/$argv[1]/jobs/*.md',
  "    string replace -r '.*/([^/]+)\\\\.md$' '$1' -- $file",
  '  end',
  'end',
  'function __claw_jobs',
  '  for agent in (__claw_agents)',
  '    for job in (__claw_jobs_of $agent)',
  '      echo $agent/$job',
  '    end',
  '  end',
  'end',
]
