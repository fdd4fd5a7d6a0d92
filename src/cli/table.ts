import type { Command } from './command.ts'

const agentOption = { flags: '--agent <agent>', summary: 'only this agent' }
const limitOption = { flags: '-n, --limit <count>', summary: 'how many to show (default 20)' }

/** Every command. Help, docs/cli.md, completion and the tests come from here. */
export const commands: readonly Command[] = [
  {
    name: 'init',
    args: '<dir>',
    summary: 'make a workspace from the template; never overwrites a file',
    options: [{ flags: '--template <name>', summary: 'team (six agents) or solo (one); default team' }],
    examples: ['claw init my-team', 'claw init notes --template solo'],
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'run',
    args: '<agent> [job]',
    summary: 'one run: gather, think, check, write, deliver',
    detail:
      'With a job, runs it now; a run by hand uses up no slot. With --slot auto the latest due slot is claimed, however old, and one that ran already is skipped. With --slot due (what the host scheduler calls) the policy of the job decides: catch-up window, retries, overlap. Without a job, one turn on -m.',
    options: [
      { flags: '-m, --message <text>', summary: 'what to say to the agent; - reads stdin' },
      { flags: '--model <provider/model>', summary: 'this model only, for this run' },
      {
        flags: '--slot <ISO|auto|due>',
        summary: 'the due moment this run is for; auto is the latest one, due only while its window is open',
      },
      { flags: '--live', summary: 'collect from the live lists in place of the sample ones' },
      {
        flags: '--dry-run',
        summary: 'show prompt, tokens, cost bound, next fire and target; no model call, nothing written',
      },
    ],
    examples: [
      'claw run ainews morning-digest',
      'claw run ainews morning-digest --slot auto --json',
      'claw run zoe -m "What happened today?"',
      'claw run ainews morning-digest --dry-run',
    ],
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'status',
    summary: 'the team at a glance',
    options: [agentOption],
    examples: ['claw status', 'claw status --agent ainews --json'],
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'runs',
    args: '[run]',
    summary: 'the latest runs, or one run in full',
    options: [
      agentOption,
      limitOption,
      {
        flags: '--state <state>',
        summary: 'only ok, silent, skipped, rejected, failed, timed_out, waiting or crashed',
      },
      { flags: '--job <agent/job>', summary: 'only this job' },
    ],
    examples: [
      'claw runs',
      'claw runs --agent ainews --state failed',
      'claw runs 20261128-003001-3f9a1c --json',
    ],
    load: async () => (await import('./commands/runs.ts')).runs,
  },
  {
    name: 'outbox list',
    summary: 'deliveries that are not settled, and those not known to have arrived',
    options: [{ flags: '--all', summary: 'also delivered and dropped ones' }],
    examples: ['claw outbox list', 'claw outbox list --all --json'],
    load: async () => (await import('./commands/outbox.ts')).outboxList,
  },
  {
    name: 'outbox retry',
    args: '[id]',
    summary: 'send what is queued or failed; one that is unknown only by its id',
    detail:
      'A delivery is unknown when its channel took the request and the answer was lost: it may have arrived. It is never sent again unless you name it here.',
    examples: ['claw outbox retry', 'claw outbox retry 202611-5f0c2a9d1e77b3c4'],
    load: async () => (await import('./commands/outbox.ts')).outboxRetry,
  },
  {
    name: 'outbox drop',
    args: '<id>',
    summary: 'give up a delivery; the text stays in the record',
    examples: ['claw outbox drop 202611-5f0c2a9d1e77b3c4'],
    load: async () => (await import('./commands/outbox.ts')).outboxDrop,
  },
  {
    name: 'context list',
    args: '<agent> [job]',
    summary: 'what the model would be shown, part by part, with tokens; no call is made',
    examples: ['claw context list ainews morning-digest'],
    load: async () => (await import('./commands/context.ts')).contextList,
  },
  {
    name: 'context detail',
    args: '<agent> [job]',
    summary: 'the same, with every tool schema and the whole prompt',
    examples: ['claw context detail ainews morning-digest --json'],
    load: async () => (await import('./commands/context.ts')).contextDetail,
  },
  {
    name: 'models list',
    summary: 'the chains, with window, price, key and cooldown of each model',
    examples: ['claw models list', 'claw models list --json'],
    load: async () => (await import('./commands/models.ts')).modelsList,
  },
  {
    name: 'models test',
    args: '[model]',
    summary: 'ask each model for one word and say what came back',
    examples: ['claw models test', 'claw models test ollama/qwen3:8b'],
    load: async () => (await import('./commands/models.ts')).modelsTest,
  },
  {
    name: 'doctor',
    summary: 'check the whole workspace; without --fix reads only',
    detail:
      'With --fix, what can be put right without doubt is put right; each file is copied to .claw/backups first.',
    options: [{ flags: '--fix', summary: 'repair what is safe to repair, after copying it' }],
    examples: ['claw doctor', 'claw doctor --json', 'claw doctor --fix'],
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'tick',
    summary: 'what is due now: slots without a run, runs that died, deliveries that wait',
    detail:
      'The host scheduler calls it each minute. It starts the slots that no line of their own has run, by the policy of each job, records what was missed, and once a day removes what nobody asks for any more. Several at once are harmless.',
    options: [{ flags: '--dry-run', summary: 'list what would be done; nothing is written' }],
    examples: ['claw tick', 'claw tick --dry-run', 'claw tick --json'],
    load: async () => (await import('./commands/tick.ts')).tick,
  },
  {
    name: 'cron list',
    summary: 'every job with its state, its next moment in both clocks, and its last outcome',
    options: [agentOption],
    examples: ['claw cron list', 'claw cron list --agent ainews --json'],
    load: async () => (await import('./commands/cron.ts')).cronList,
  },
  {
    name: 'cron next',
    args: '[job]',
    summary: 'the next moments at which a job, or the team, will really fire',
    options: [
      { flags: '-n, --count <count>', summary: 'how many (default 5)' },
      { flags: '--from <ISO>', summary: 'from this moment on; default now' },
    ],
    examples: ['claw cron next', 'claw cron next ainews/morning-digest -n 10', 'claw cron next --json'],
    load: async () => (await import('./commands/cron.ts')).cronNext,
  },
  {
    name: 'cron lint',
    summary: 'what the schedules of the team do that their writers may not expect',
    options: [agentOption],
    examples: ['claw cron lint', 'claw cron lint --json'],
    load: async () => (await import('./commands/cron.ts')).cronLint,
  },
  {
    name: 'cron history',
    args: '[job]',
    summary: 'the newest due moments and their ends',
    options: [limitOption],
    examples: ['claw cron history', 'claw cron history ainews/morning-digest -n 50'],
    load: async () => (await import('./commands/cron-history.ts')).cronHistory,
  },
  {
    name: 'cron pause',
    args: '<job>',
    summary: 'let a job rest: each of its slots is a recorded skip',
    options: [{ flags: '--reason <text>', summary: 'why, for those who find it paused' }],
    examples: ['claw cron pause ainews/morning-digest --reason "source is down"'],
    load: async () => (await import('./commands/cron-pause.ts')).cronPause,
  },
  {
    name: 'cron resume',
    args: '<job>',
    summary: 'let a paused job run again, also one that claw itself has paused',
    examples: ['claw cron resume ainews/morning-digest'],
    load: async () => (await import('./commands/cron-pause.ts')).cronResume,
  },
  {
    name: 'incidents list',
    summary: 'causes of failure that are not over yet',
    options: [{ flags: '--all', summary: 'also those that were acknowledged' }],
    examples: ['claw incidents list', 'claw incidents list --all --json'],
    load: async () => (await import('./commands/incidents.ts')).incidentsList,
  },
  {
    name: 'incidents ack',
    args: '<id>',
    summary: 'say that a person has seen it; it ends when its jobs run well',
    examples: ['claw incidents ack 20261128-003001-3f9a1c'],
    load: async () => (await import('./commands/incidents.ts')).incidentsAck,
  },
  {
    name: 'cron install',
    summary: "let the host's scheduler wake every enabled job, and a tick each minute",
    detail:
      'One marked block of lines in your crontab; everything else in it stays byte for byte, and the table as it was is kept in .claw/backups/crontab. The same again changes nothing. launchd and systemd get files of their own in your home folder, with the commands that load them. cron mails what a run writes to stderr, which is only what went wrong; every run is in `claw runs`.',
    options: [
      { flags: '--format <name>', summary: 'crontab, launchd or systemd; default crontab' },
      { flags: '--dry-run', summary: 'show what would change' },
    ],
    examples: ['claw cron install --dry-run', 'claw cron install', 'claw cron install --format systemd'],
    load: async () => (await import('./commands/cron-install.ts')).cronInstall,
  },
  {
    name: 'cron uninstall',
    summary: 'take out what cron install put in, and nothing else',
    options: [
      { flags: '--format <name>', summary: 'crontab, launchd or systemd; default crontab' },
      { flags: '--dry-run', summary: 'show what would change' },
      {
        flags: '--root <path>',
        summary: 'the lines of this workspace in the crontab, also when its folder is gone',
      },
    ],
    examples: ['claw cron uninstall', 'claw cron uninstall --root /old/place/my-team'],
    load: async () => (await import('./commands/cron-install.ts')).cronUninstall,
  },
  {
    name: 'cron render',
    summary: 'the same for a scheduler that you load yourself; installs nothing',
    options: [
      { flags: '--format <name>', summary: 'crontab, launchd, systemd or kubernetes; default crontab' },
      { flags: '--out <dir>', summary: 'write the files there in place of stdout' },
    ],
    examples: ['claw cron render', 'claw cron render --format kubernetes --out deploy'],
    load: async () => (await import('./commands/cron-install.ts')).cronRender,
  },
  {
    name: 'simulate',
    summary: 'days or a year of this team in memory, with faults, and what must hold asked each day',
    detail:
      'Copies the workspace (else the template) into memory and lets its own crontab fire the real commands in virtual time; models, network and channels are scripted, and nothing outside is written. A tick is passed over where it would find nothing to do. The same seed, first day and workspace give the same run. Exit 1 when an invariant is broken.',
    options: [
      { flags: '--from <date>', summary: "first day, by the host's clock; default today" },
      { flags: '--days <count>', summary: 'how many (default 7)' },
      { flags: '--seed <number>', summary: 'of the faults and of what models say (default 1)' },
      {
        flags: '--faults <level>',
        summary: 'none, light (about one a day) or heavy (one in three runs); default none',
      },
      {
        flags: '--host-zone <zone>',
        summary: "the time zone of the host's clock; default that of this host",
      },
      { flags: '--every-tick', summary: 'run all 1,440 ticks of a day' },
      { flags: '--until-failure', summary: 'stop after the first day on which an invariant is broken' },
    ],
    examples: [
      'claw simulate --days 7',
      'claw simulate --from 2026-03-02 --days 365',
      'claw simulate --days 30 --faults heavy --seed 7 --until-failure',
    ],
    load: async () => (await import('./commands/simulate.ts')).simulate,
  },
  {
    name: 'completion',
    args: '<shell>',
    summary: 'a completion script for bash, zsh or fish',
    examples: [
      'claw completion bash > ~/.local/share/bash-completion/completions/claw',
      'claw completion zsh',
    ],
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]
