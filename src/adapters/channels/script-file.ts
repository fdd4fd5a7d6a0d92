import { isObject } from '../../core/json-schema.ts'
import type { SendOutcome } from '../../core/outbox-step.ts'
import type { World } from '../../world/world.ts'
import type { Channel } from './channel.ts'

/**
 * For tests of whole commands: `<folder>/outcomes.json` holds a list of outcomes,
 * one for each send (`{"kind": "lost", "arrives": true}`), and what arrives is
 * appended to `<folder>/received.jsonl`, as the other side would see it. Past the
 * end of the list everything is accepted.
 */
export function scriptFileChannel(name: string, { disk }: Pick<World, 'disk'>, folder: string): Channel {
  return {
    name,
    kind: 'blind',
    maxUnits: 2000,
    async send(text, key) {
      if (!disk.stat(folder)) disk.mkdir(folder)
      const count = sentBefore(disk, `${folder}/sends.log`)
      disk.append(`${folder}/sends.log`, Buffer.from('.'))
      const { outcome, arrives } = scripted(disk, `${folder}/outcomes.json`, count)
      if (arrives) disk.append(`${folder}/received.jsonl`, Buffer.from(`${JSON.stringify({ key, text })}\n`))
      return outcome
    },
  }
}

function sentBefore(disk: World['disk'], path: string): number {
  return disk.stat(path)?.sizeBytes ?? 0
}

function scripted(
  disk: World['disk'],
  path: string,
  count: number,
): { outcome: SendOutcome; arrives: boolean } {
  const bytes = disk.read(path)
  const list: unknown = bytes === undefined ? [] : JSON.parse(new TextDecoder().decode(bytes))
  const given: unknown = Array.isArray(list) ? list[count] : undefined
  if (!isObject(given)) return { outcome: { kind: 'sent' }, arrives: true }
  const why = String(given['why'] ?? 'scripted')
  const arrives = given['arrives'] === true
  if (given['kind'] === 'lost') return { outcome: { kind: 'lost', why }, arrives }
  if (given['kind'] !== 'refused') return { outcome: { kind: 'sent' }, arrives: true }
  const retryAfterMs =
    typeof given['retryAfterMs'] === 'number' ? { retryAfterMs: given['retryAfterMs'] } : {}
  return {
    outcome: { kind: 'refused', why, permanent: given['permanent'] === true, ...retryAfterMs },
    arrives: false,
  }
}
