import type { CollectContext } from '../../agent/collector.ts'
import { fetchPage, type Page } from './fetch-page.ts'
import { localPath, readLocal } from './local-source.ts'
import type { Source } from './source-list.ts'

export interface ReadLimits {
  timeoutMs: number
  maxBytes: number
  headers?: Record<string, string>
}

/** The bytes of a `file:` or `http(s):` source. Never throws for a source that fails. */
export async function readSource(
  { url }: Pick<Source, 'url'>,
  limits: ReadLimits,
  { world, root, signal }: CollectContext,
): Promise<Page> {
  if (signal.aborted) return { kind: 'failed', why: 'stopped' }
  const path = localPath(url, root)
  if (path === undefined) return fetchPage(world.http, { url, signal, ...limits }, world.clock.now())
  const read = readLocal(world.disk, path, limits.maxBytes)
  if (read.kind === 'failed') return read
  return { kind: 'answered', bytes: read.bytes, contentType: '', url: '', etag: '', lastModified: '' }
}

/** Bytes of one answer unless a job says otherwise; the largest feeds in use are near 3 MB. */
export const defaultMaxBytes = 8 * 2 ** 20
