import { fileURLToPath } from 'node:url'
import { crontabText } from '../../src/flows/cron-render.ts'
import { loadPlan } from '../../src/flows/cron-install/load-plan.ts'
import { ScriptHttp } from '../../src/sim/script-http.ts'
import { nodeWorld } from '../../src/world/node-world.ts'

const template = fileURLToPath(new URL('../../workspace', import.meta.url))

const program = { nodePath: '/path/to/node', scriptPath: '/path/to/dist/main.js', root: '/path/to/workspace' }

const head = `# What \`claw cron install\` writes for the template, on a host whose clock is UTC. Made by npm run docs.
#
# One line for each enabled job that has a crontab schedule, and the tick. Times are the host's: a job that
# says 08:30 in Asia/Shanghai stands here at 00:30. Cron only wakes claw: \`--slot due\` decides from the
# job's own schedule and zone which slot is meant, and skips one that ran already. A line that wakes more
# often than the job is due does no harm.
#
# stdout is dropped: every run has its record (claw runs). What goes wrong is on stderr, which cron mails to
# MAILTO. To install by hand, put in full paths (cron's PATH is short); a percent sign is written \\%.

`

/** `crontab.example`; the year only tells which clock changes count. */
export async function crontabExample(year = 2026): Promise<string> {
  const world = nodeWorld({ http: new ScriptHttp() })
  const plan = await loadPlan(world, template, { program, hostZone: 'UTC', year })
  return head + crontabText(plan)
}
