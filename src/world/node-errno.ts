import { DiskError } from './disk.ts'

/** Numbers that Node has no name for: it says "Unknown system error -122". */
const unnamed: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  linux: { 35: 'EDEADLK', 37: 'ENOLCK', 116: 'ESTALE', 121: 'EREMOTEIO', 122: 'EDQUOT' },
  darwin: { 11: 'EDEADLK', 69: 'EDQUOT', 70: 'ESTALE', 77: 'ENOLCK' },
}

/** A file that a sync program holds, or that has to come back from the cloud first. */
const passing = new Set(['EAGAIN', 'EBUSY', 'EDEADLK', 'EINTR'])

const readTries = 3

/** Runs one system call; what it throws comes out as a `DiskError`. */
export function systemCall<T>(call: string, path: string, body: () => T): T {
  try {
    return body()
  } catch (error) {
    throw toDiskError(call, path, error)
  }
}

/** The same for a read, three times where the failure may pass by itself (10 and 40 ms apart). */
export function readCall<T>(call: string, path: string, body: () => T): T {
  for (let tried = 1; ; tried += 1) {
    try {
      return body()
    } catch (error) {
      if (tried >= readTries || !passing.has(errnoName(error) ?? '')) throw toDiskError(call, path, error)
      pause(10 * 4 ** (tried - 1))
    }
  }
}

/** The name of a failed call's errno; undefined for an error that is none. */
export function errnoName(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errno } = error as NodeJS.ErrnoException
  const name = errno === undefined ? undefined : unnamed[process.platform]?.[Math.abs(errno)]
  return name ?? (typeof code === 'string' ? code : undefined)
}

function toDiskError(call: string, path: string, error: unknown): unknown {
  if (error instanceof DiskError) return error
  const code = errnoName(error)
  return code === undefined ? error : new DiskError(code, call, path, error)
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
