import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { MockModel } from '../mock-model.ts'
import { digestJob, edit, workspace } from './rig.ts'

export type Answer = ConstructorParameters<typeof MockModel>[0]

/** A key that a test can look for everywhere. */
export const secret = 'sk-test-4f1d77c2b09e8a35d6'

/** A workspace whose `routine` and `main` chains end in one strict model on loopback. */
export async function withModel(t: TestContext, answer: Answer): Promise<{ root: string; model: MockModel }> {
  const model = new MockModel(answer)
  const baseUrl = await model.listen()
  t.after(() => model.close())
  const root = await workspace(t)
  useModel(root, baseUrl)
  return { root, model }
}

/** `mock/m` at this address, with its key in `.env`, a price, and no link after it. */
export function useModel(root: string, baseUrl: string, refs = ['mock/m']): void {
  const provider = `    mock: {api: openai-chat, baseUrl: "${baseUrl}", apiKey: "\${MOCK_KEY}"}\n`
  edit(root, 'claw.yaml', '  providers:\n', `  providers:\n${provider}`)
  edit(
    root,
    'claw.yaml',
    '  catalog:\n',
    '  catalog:\n    mock/m: {window: 64000, maxOutput: 4000, price: {in: 1, out: 10}}\n',
  )
  for (const tier of ['routine', 'main'])
    edit(root, 'claw.yaml', `${tier}: []`, `${tier}: {models: [${refs.join(', ')}], strict: true}`)
}

/** A contract that any short text with these words keeps. */
export function easyContract(root: string): void {
  const hard = /check: \{.*\}/.exec(readFileSync(join(root, digestJob), 'utf8'))![0]
  edit(root, digestJob, hard, 'check: {minLength: 5}')
}

/** Files of the workspace, and texts, that hold a secret. */
export function leaksOf(root: string, texts: readonly string[]): string[] {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const found = files
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !path.endsWith('/.env') && readFileSync(path).includes(secret))
  return [...found, ...texts.filter(text => text.includes(secret))]
}

export interface Entry {
  type: string
  message?: { role: string; content: unknown; toolName?: string; usage?: unknown; isError?: boolean }
}

/** Messages of the newest session of an agent. */
export function transcript(root: string, session: string, agent = 'ainews'): NonNullable<Entry['message']>[] {
  const text = readFileSync(join(root, 'agents', agent, 'sessions', `${session}.jsonl`), 'utf8')
  const entries = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Entry)
  return entries.flatMap(({ message }) => message ?? [])
}
