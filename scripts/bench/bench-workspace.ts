import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js')

/** A workspace as a team has it after a while: six agents, 59 jobs, `runs` earlier runs, a model on `baseUrl`. */
export function makeWorkspace(root: string, { runs, baseUrl }: { runs: number; baseUrl: string }): void {
  const made = spawnSync(process.execPath, [main, 'init', root, '--quiet'], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  const agents = readdirSync(join(root, 'agents'))
  addModel(root, baseUrl)
  addJobs(root, agents, 59)
  agents.forEach((agent, index) =>
    addRuns(root, agent, Math.floor(runs / agents.length) + (index < runs % agents.length ? 1 : 0)),
  )
}

function addModel(root: string, baseUrl: string): void {
  const config = [
    'team: bench',
    'timezone: Asia/Shanghai',
    'models:',
    `  providers: {mock: {api: openai-chat, baseUrl: "${baseUrl}", apiKey: none}}`,
    '  chains: {main: [mock/mock], routine: [mock/mock]}',
    '  catalog: {mock/mock: {window: 400000, price: {in: 1, out: 2}}}',
  ]
  writeFileSync(join(root, 'claw.yaml'), `${config.join('\n')}\n`)
}

function addJobs(root: string, agents: string[], count: number): void {
  let have = agents.reduce((sum, agent) => sum + readdirSync(join(root, 'agents', agent, 'jobs')).length, 0)
  for (let index = 0; have < count; index++, have++) {
    const dir = join(root, 'agents', agents[index % agents.length]!, 'jobs')
    writeFileSync(
      join(dir, `filler-${index}.md`),
      `---\nschedule: "${index} 3 * * *"\n---\nSay what changed since yesterday.\n`,
    )
  }
}

/** Earlier runs and the latest state of each job, as `recordRun` leaves them. */
function addRuns(root: string, agent: string, count: number): void {
  const dir = join(root, 'shared-context', 'agent-runs', agent)
  mkdirSync(dir, { recursive: true })
  const perMonth = Math.ceil(count / 3)
  for (const [month, name] of ['2026-08', '2026-09', '2026-10'].entries()) {
    const lines: string[] = []
    for (let index = month * perMonth; index < Math.min(count, (month + 1) * perMonth); index++) {
      lines.push(
        JSON.stringify(runLine(agent, `${name}-${String((index % 28) + 1).padStart(2, '0')}`, index)),
      )
    }
    if (lines.length > 0) writeFileSync(join(dir, `${name}.jsonl`), `${lines.join('\n')}\n`)
  }
}

function runLine(agent: string, date: string, index: number): object {
  return {
    type: 'run',
    run: `${date.replaceAll('-', '')}-003000-${index.toString(16).padStart(6, '0')}`,
    origin: '',
    agent,
    job: 'filler',
    slot: null,
    state: 'ok',
    reason: '',
    model: 'mock/mock',
    fallbacks: [],
    startedAt: `${date}T00:30:00.000Z`,
    durationMs: 1000,
    usage: { in: 10_000, out: 500, cost: 0.01 },
    files: [],
    evidence: { items: 0, sourcesOk: 0, sourcesFailed: 0, blob: null },
    deliveries: [],
    session: null,
    tools: [],
    degraded: [],
    keptAside: null,
  }
}

/** A main session of about `tokens` tokens for one agent, in the transcript format. */
export function addSession(root: string, agent: string, tokens: number): void {
  const dir = join(root, 'agents', agent, 'sessions')
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  if (tokens === 0) return
  const id = '01990000-0000-7000-8000-000000000000'
  const timestamp = '2026-11-28T00:30:00.000Z'
  const lines: object[] = [{ type: 'session', version: 3, id, timestamp, cwd: '.' }]
  const text = 'The quick summary of what was seen today and what is still open, in plain words. '.repeat(50)
  const perEntry = Math.round(text.length / 4)
  let parentId: string | null = null
  for (let index = 0; index * perEntry < tokens; index++) {
    const entry: Record<string, unknown> = {
      type: 'message',
      id: index.toString(16).padStart(8, '0'),
      parentId,
      timestamp,
    }
    entry['message'] =
      index % 2 === 0
        ? { role: 'user', content: text, timestamp: 0 }
        : {
            role: 'assistant',
            content: [{ type: 'text', text }],
            api: 'openai-chat',
            provider: 'mock',
            model: 'mock',
            usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 },
            stopReason: 'stop',
            timestamp: 0,
          }
    parentId = entry['id'] as string
    lines.push(entry)
  }
  writeFileSync(join(dir, `${id}.jsonl`), `${lines.map(line => JSON.stringify(line)).join('\n')}\n`)
  const index = { [`agent:${agent}:main`]: { sessionId: id, updatedAt: Date.parse(timestamp) } }
  writeFileSync(join(dir, 'sessions.json'), JSON.stringify(index))
}

export function copyWorkspace(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
}

export function sessionBytes(root: string, agent: string): number {
  const dir = join(root, 'agents', agent, 'sessions')
  return readdirSync(dir).reduce((sum, name) => sum + readFileSync(join(dir, name)).length, 0)
}
