import { isObject } from '../../core/json-schema.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import { frozen, remembered } from '../../core/remembered.ts'
import { replaceFile } from '../../store/atomic-file.ts'
import { crc32 } from '../../store/log/crc32.ts'
import { orNotRecorded } from '../../store/recorded.ts'
import { encodeText, readText } from '../../store/text.ts'
import type { Disk } from '../../world/disk.ts'
import type { World } from '../../world/world.ts'

/** Raise it when what is kept changes shape. */
const version = 1

/** A derived value, which nobody may change; undefined when it is absent, of another version, or not what was kept. */
export function peekKept(disk: Disk, path: string): unknown {
  const text = orNotRecorded(path, () => readText(disk, path))
  return text === undefined ? undefined : keptIn(text)
}

/** One tick reads the same file several times. */
const mostTexts = 8

const keptIn = remembered((text: string): unknown => {
  const [head, body] = text.split('\n')
  const known = parsedJson(head ?? '')
  if (body === undefined || !isObject(known) || known['version'] !== version) return undefined
  return known['sum'] === sumOf(body) ? frozen(parsedJson(body)) : undefined
}, mostTexts)

/** Two lines: version and sum, then the value. Not durable: what is lost is found out again. */
export function replaceKept(world: Pick<World, 'disk' | 'random'>, path: string, value: unknown): void {
  const body = JSON.stringify(value)
  const head = JSON.stringify({ version, sum: sumOf(body) })
  replaceFile(world, path, `${head}\n${body}\n`, { durable: false })
}

function sumOf(text: string): string {
  return crc32(encodeText(text))
}
