import { toolGate } from '../../agent/gate.ts'
import { alwaysTools, expandToolNames, knownTools, toolGroups } from '../../agent/registry.ts'
import type { ToolSpec } from '../../agent/model.ts'
import type { RunTool } from '../../agent/tool-round.ts'
import type { Tool } from '../../agent/tool.ts'
import { editTool } from '../../agent/tools/edit.ts'
import { execTool } from '../../agent/tools/exec.ts'
import { finishTool } from '../../agent/tools/finish.ts'
import { memorySearchTool } from '../../agent/tools/memory-search.ts'
import { readTool } from '../../agent/tools/read.ts'
import { sharedReadTool } from '../../agent/tools/shared-read.ts'
import { sharedWriteTool } from '../../agent/tools/shared-write.ts'
import { writeTool } from '../../agent/tools/write.ts'
import { ClawError } from '../../core/claw-error.ts'
import type { FileOps, FileText } from '../../core/file-ops.ts'
import type { FileChange, RunRecord } from '../../core/run.ts'
import { readMemoryFiles } from '../../records/memory-files.ts'
import { agentDir } from '../../records/paths.ts'
import { putBlob, readBlob } from '../../store/blob.ts'
import { decodeText } from '../../store/text.ts'
import { workspaceFiles } from '../../store/workspace-files.ts'
import type { RunContext } from './open-run.ts'

export interface RunTools {
  specs: ToolSpec[]
  run: RunTool
  /** The ledger of calls, for the run's record. */
  calls: RunRecord['tools']
  /** What the tools changed. */
  files: FileChange[]
  /** Keeps a long text whole and says how it can be read. */
  offload: (text: string) => string
}

/** A turn on `-m` may read, remember and hand in; a job has what it names. */
const turnTools = ['read', 'memory', 'shared_read']

/** The tools of this run behind the one gate; what they change is noted, the text before is kept. */
export function toolsOfRun(run: RunContext): RunTools {
  const files: FileChange[] = []
  const gate = toolGate({
    tools: allTools(run, files),
    policy: { allow: allowedTools(run) },
    mask: run.mask,
    onCall: ({ name, ok, denied }) => run.note(`tool ${name}: ${denied ? 'denied' : ok ? 'ok' : 'failed'}`),
  })
  return { specs: gate.specs, run: gate.run, calls: gate.calls, files, offload: text => offload(run, text) }
}

export function toolNames(run: RunContext): string[] {
  const { names } = expandToolNames(allowedTools(run), knownTools)
  return [...names.filter(name => !alwaysTools.includes(name)), ...alwaysTools]
}

function allowedTools({ job }: RunContext): readonly string[] {
  const allowed = job?.tools ?? turnTools
  const wrong = unknownTool(allowed)
  if (!wrong) return allowed
  throw new ClawError('config-invalid', `${job?.file}: no tool ${wrong.name}`, {
    hint: wrong.suggestion
      ? `did you mean ${wrong.suggestion}?`
      : `tools: ${[...Object.keys(toolGroups), ...knownTools].join(', ')}`,
  })
}

/** The first name that is neither a tool nor a group of tools. */
export function unknownTool(
  names: readonly string[],
): { name: string; suggestion: string | undefined } | undefined {
  return expandToolNames(names, knownTools).unknown[0]
}

function allTools(run: RunContext, changes: FileChange[]): Tool[] {
  const { world, root, agent } = run
  const files = plainFiles(run, changes)
  const tools = [
    readTool(files),
    writeTool(files),
    editTool(files),
    sharedReadTool(files),
    sharedWriteTool(files),
    memorySearchTool({ listMemory: () => readMemoryFiles(world.disk, root, agent) }),
    finishTool(),
  ]
  const exec = execOf(run, files)
  return exec ? [...tools, exec] : tools
}

/** Undefined where the configuration denies it. The `when:` of a job is under the same policy. */
export function execOf(run: RunContext, files: FileOps = plainFiles(run, [])): Tool | undefined {
  const { world, root, agent, config } = run
  if (config.exec.security === 'deny') return undefined
  const { PATH = '/usr/bin:/bin', HOME = world.host.homeDir } = world.host.env
  return execTool({
    spawn: world.spawn,
    policy: { security: config.exec.security, allow: config.exec.allow },
    files,
    root,
    agent,
    cwd: agentDir(root, agent),
    host: { path: PATH, home: HOME },
    timeoutMs: config.exec.timeout,
    maxBytes: config.exec.maxBytes,
    offload: text => offload(run, text),
  })
}

function plainFiles(run: RunContext, changes: FileChange[]): FileOps {
  const { world, root, agent } = run
  return withBlobs(
    run,
    workspaceFiles({ world, root, agent, recordWrite: notice => noteChange(run, changes, notice) }),
  )
}

/** Keeps what a write replaces before it is replaced; of several writes of one file the first text counts. */
export function noteChange(
  { world, root }: Pick<RunContext, 'world' | 'root'>,
  changes: FileChange[],
  {
    path,
    before,
    after,
    bytesBefore,
  }: { path: string; before: string | undefined; after: string; bytesBefore: Uint8Array | undefined },
): void {
  if (bytesBefore !== undefined) putBlob(world, root, bytesBefore)
  const known = changes.find(change => change.path === path)
  if (known) known.after = after
  else changes.push({ path, before: before ?? null, after })
}

/** What is too long to show is kept under its hash; `read` takes the name and pages through it. */
function offload(run: RunContext, text: string): string {
  return `blob:${putBlob(run.world, run.root, run.mask(text))}`
}

function withBlobs({ world, root }: RunContext, files: FileOps): FileOps {
  return {
    ...files,
    read(path, scope) {
      const hash = /^blob:([0-9a-f]{64})$/.exec(path)?.[1]
      if (hash === undefined) return files.read(path, scope)
      const bytes = readBlob(world.disk, root, hash)
      if (bytes === undefined) return { kind: 'refused', reason: 'absent', why: `there is no ${path}` }
      return { kind: 'text', path, text: decodeText(bytes), sizeBytes: bytes.length } satisfies FileText
    },
  }
}
