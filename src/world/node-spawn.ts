import type { Readable } from 'node:stream'
import { endGroup, signalGroup } from './node-process-group.ts'
import type { Spawn, SpawnOutcome, SpawnReply, SpawnRequest } from './spawn.ts'
import { monotonicMs } from './node-clock.ts'

/** For output still in the pipe when the program has ended; a process it left behind may hold the pipe for ever. */
const drainMs = 250

/** The child as we use it; execa's type says more than we rely on. */
interface Child {
  pid?: number | undefined
  stdin: NodeJS.WritableStream | null
  stdout: Readable | null
  stderr: Readable | null
  once(event: 'exit', listener: (exitCode: number | null, signal: string | null) => void): unknown
}

/** execa is loaded at the first run. Its own time limit waits for grandchildren that hold a pipe, so it is not used. */
export const nodeSpawn: Spawn = {
  async run(request) {
    const startedMs = monotonicMs()
    const { execa } = await import('execa')
    const [program, ...args] = request.argv
    const child = execa(program, args, {
      cwd: request.cwd,
      env: request.env,
      extendEnv: false,
      detached: true,
      buffer: false,
      reject: false,
      stdin: request.stdin === undefined ? 'ignore' : 'pipe',
      encoding: 'buffer',
    })
    const stdout = collect(child.stdout, request.maxBytes)
    const stderr = collect(child.stderr, request.maxBytes)
    const outcome =
      child.pid === undefined ? notStarted(await child) : await follow(child, child.pid, request)
    return {
      outcome,
      ...replyOf(stdout(), stderr()),
      durationMs: monotonicMs() - startedMs,
    }
  },
}

async function follow(child: Child, pid: number, request: SpawnRequest): Promise<SpawnOutcome> {
  const killAtExit = () => signalGroup(pid, 'SIGKILL')
  process.once('exit', killAtExit)
  const exited = exitOf(child)
  const drained = Promise.all([closeOf(child.stdout), closeOf(child.stderr)])
  feed(child, request.stdin)
  try {
    const first = await firstOf(exited, request)
    if (first.kind !== 'timed-out' && first.kind !== 'aborted') await within(drainMs, drained)
    await endGroup(pid)
    await within(drainMs, drained)
    if (first.kind === 'aborted') return await killedBy(exited)
    return first
  } finally {
    process.removeListener('exit', killAtExit)
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
}

/** Whichever comes first: the end, the limit or the abort. */
function firstOf(
  exited: Promise<SpawnOutcome>,
  { timeoutMs, signal }: SpawnRequest,
): Promise<SpawnOutcome | { kind: 'aborted' }> {
  return new Promise(resolve => {
    const settle = (outcome: SpawnOutcome | { kind: 'aborted' }): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const onAbort = () => settle({ kind: 'aborted' })
    const timer = setTimeout(() => settle({ kind: 'timed-out' }), timeoutMs)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    void exited.then(settle)
  })
}

function exitOf(child: Child): Promise<SpawnOutcome> {
  return new Promise(resolve => {
    child.once('exit', (exitCode, signal) =>
      resolve(
        exitCode === null ? { kind: 'killed', signal: signal ?? 'unknown' } : { kind: 'exited', exitCode },
      ),
    )
  })
}

/** After an abort: how it ended, which is never told as success. */
async function killedBy(exited: Promise<SpawnOutcome>): Promise<SpawnOutcome> {
  const end = await within(drainMs, exited)
  return end?.kind === 'killed' ? end : { kind: 'killed', signal: 'SIGTERM' }
}

function notStarted(result: { originalMessage?: string; code?: string }): SpawnOutcome {
  const { originalMessage = '', code = '' } = result
  return { kind: 'not-started', why: originalMessage || code || 'the program could not be started' }
}

function feed(child: Child, text: string | undefined): void {
  if (text === undefined) return
  // A program that does not read to the end closes the pipe: no failure of ours.
  child.stdin?.on('error', () => {})
  child.stdin?.end(text)
}

interface Collected {
  bytes: Uint8Array
  count: number
}

/** Keeps the first `maxBytes`, counts all, and goes on reading so that the program never blocks. */
function collect(stream: Readable | null, maxBytes: number): () => Collected {
  const chunks: Buffer[] = []
  let kept = 0
  let count = 0
  stream?.on('error', () => {})
  stream?.on('data', (chunk: Buffer) => {
    count += chunk.length
    if (kept >= maxBytes) return
    const piece = chunk.subarray(0, maxBytes - kept)
    chunks.push(piece)
    kept += piece.length
  })
  return () => ({ bytes: Buffer.concat(chunks), count })
}

function replyOf(
  stdout: Collected,
  stderr: Collected,
): Pick<SpawnReply, 'stdout' | 'stderr' | 'stdoutBytes' | 'stderrBytes'> {
  return {
    stdout: stdout.bytes,
    stderr: stderr.bytes,
    stdoutBytes: stdout.count,
    stderrBytes: stderr.count,
  }
}

function closeOf(stream: Readable | null): Promise<void> {
  return new Promise(resolve => {
    if (stream === null || stream.closed) resolve()
    else stream.once('close', resolve)
  })
}

/** Undefined when it took longer. */
function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(undefined), limitMs)
    void work.then(result => {
      clearTimeout(timer)
      resolve(result)
    })
  })
}
