import { isAbsolute, join } from 'node:path'
import type { CollectContext } from '../../agent/collector.ts'
import { ClawError } from '../../core/claw-error.ts'
import type { Path } from '../../core/decode.ts'
import { decodeBytes } from '../../core/text-encoding.ts'
import { DiskError } from '../../world/disk.ts'
import { decodeSourceList, type SourceList } from './source-list.ts'

/**
 * The sources a job names: a YAML list in the workspace, or one `file:` or
 * `http(s):` address. Throws `ClawError` with file and line.
 */
export async function loadSourceList(named: string, context: CollectContext): Promise<SourceList> {
  if (/^(?:file|https?):/i.test(named)) {
    const source = {
      name: named.replace(/^file:/i, ''),
      url: named,
      category: 'other',
      enabled: true,
      reason: '',
    }
    return { asOf: undefined, sources: [source] }
  }
  const yaml = readList(named, context)
  const { isNode, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(yaml, { lineCounter: lines })
  const [problem] = document.errors
  if (problem) {
    const line = problem.linePos?.[0].line ?? 1
    throw new ClawError('config-invalid', `${named}:${line}: ${problem.message.split('\n')[0]}`)
  }
  const lineOf = (path: Path): number => {
    for (let depth = path.length; depth > 0; depth--) {
      const parent: unknown = document.getIn(path.slice(0, depth - 1), true)
      const offset = offsetOfMember(parent, path[depth - 1]!)
      if (offset !== undefined) return lines.linePos(offset).line
      const node: unknown = document.getIn(path.slice(0, depth), true)
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
  return decodeSourceList(named, document.toJS({ maxAliasCount: 100 }), lineOf)
}

function readList(named: string, { world, root }: CollectContext): string {
  const path = isAbsolute(named) ? named : join(root, named)
  let bytes: Uint8Array | undefined
  try {
    bytes = world.disk.read(path)
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    throw new ClawError('config-invalid', `${named}: cannot be read (${error.code})`, { cause: error })
  }
  if (bytes) return decodeBytes(bytes).text
  throw new ClawError('config-invalid', `${named}: there is no such list of sources in the workspace`)
}

/** Where the key stands, which for an unknown key tells more than where its value does. */
function offsetOfMember(parent: unknown, key: string | number): number | undefined {
  if (typeof parent !== 'object' || parent === null || !('items' in parent) || !Array.isArray(parent.items)) {
    return undefined
  }
  for (const pair of parent.items as { key?: { value?: unknown; range?: [number, number, number] } }[]) {
    if (pair?.key?.value === key && pair.key.range) return pair.key.range[0]
  }
  return undefined
}
