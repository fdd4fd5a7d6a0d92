import type { Command } from './command.ts'

/** docs/cli.md, from the command table; a test keeps the file equal to this. */
export function cliMarkdown(commands: readonly Command[]): string {
  return [
    '# Command line',
    '',
    'Made from the command table by `npm run docs`; a test keeps it equal.',
    '',
    'stdout carries the result (a sentence, a table, or one JSON document with `--json`), stderr carries progress and warnings. stdin is read only where `-` is given.',
    '',
    'Global options: `-C <dir>` the workspace (else `CLAW_WORKSPACE`, else the nearest parent with a `claw.yaml`), `--json`, `--now <ISO>` (or `CLAW_NOW`), `--quiet`, `--version`. `NO_COLOR` is respected.',
    '',
    'Exit codes: [exit-codes.md](exit-codes.md).',
    ...commands.flatMap(sectionOf),
    '',
    jsonShapes,
  ].join('\n')
}

function sectionOf(command: Command): string[] {
  const { name, args, summary, detail, options = [], examples } = command
  return [
    '',
    `## claw ${name}${args ? ` ${args}` : ''}`,
    '',
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    ...(detail ? ['', detail] : []),
    ...(options.length > 0 ? ['', '| option | meaning |', '|---|---|'] : []),
    ...options.map(option => `| \`${option.flags.replaceAll('|', '\\|')}\` | ${option.summary} |`),
    '',
    '```sh',
    ...examples,
    '```',
  ]
}

const jsonShapes = `## JSON shapes

| command | one document |
|---|---|
| \`run\` | \`{run, agent, job, slot, state, reason, model, text, files[], evidence, usage{in, out, cost}, delivery[{id, channel, state}], durationMs, fallbacks[], degraded[], keptAside, session}\` |
| \`run --dry-run\` | \`{agent, job, system, user, parts[], tools[], tokens, costBound, models[], nextFire, target, slot, heldUp[], degraded[]}\` |
| \`init\` | \`{root, template, created[], kept[]}\` |
| \`status\` | \`{agents[{agent, jobs, last{run, job, state, reason, at}, bad[], missed[{job, count, lastSlot}]}], broken[], outbox{queued, failed, unknown}, schedule{lastTick, missed[]}, paused[], incidents[]}\` |
| \`runs\` | an array of run records; with a run id, one record |
| \`outbox list\` | an array of deliveries \`{id, channel, state, pieces, sent, attempts, at, why, job, run}\` |
| \`outbox retry\`, \`outbox drop\` | the same for those that it is about |
| \`context list\` | \`{agent, job, parts[{name, path, rawChars, chars, tokens, state, warning}], tools[{name, chars, tokens}], history{messages, tokens}, tokens, window, budget{perFileChars, totalChars}, warnings[]}\` |
| \`context detail\` | the same with \`system\`, \`user\`, and \`schema\` of each tool |
| \`models list\` | an array of \`{ref, tiers[], api, window, maxOutput, price, key, cooling}\` |
| \`models test\` | an array of \`{ref, ok, why, detail, ms}\` |
| \`tick\` | \`{at, due[], missed[], crashed[], outbox[], waiting[], upkeep}\` |
| \`cron list\` | an array of \`{job, enabled, schedule, tz, next, last{state, at}, paused}\` |
| \`cron next\` | an array of ISO instants in UTC; without a job, of \`{at, job}\` |
| \`cron lint\` | an array of \`{level, job, file, line, text}\` |
| \`cron history\` | an array of \`{job, slot, state, reason, lateMs, attempts, run}\`; first, with \`slot: null\` and state \`broken\`, jobs whose file cannot be used; of the team then bad and missed ones |
| \`cron pause\`, \`cron resume\` | \`{job, paused, changed}\` |
| \`incidents list\`, \`incidents ack\` | incidents \`{id, signature, reason, since, last, count, jobs, alerted, acknowledged}\` |
| \`cron install\`, \`cron uninstall\` | \`{format, root, changed, dryRun, jobs, byTick[{job, why}], dated{year, jobs[]}, hostZone, diff[], backup, next[], warnings[]}\` |
| \`cron render\` | \`{format, files[{name, text}], out, byTick[], warnings[]}\` |
| \`completion\` | \`{shell, script}\` |
| \`doctor\` | \`{ok, findings[{level, check, path, line, text, fix}], fixed[]}\` |
`
