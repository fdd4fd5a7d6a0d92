import type { CollectContext } from '../../../src/agent/collector.ts'
import { teamCollectors } from '../../../src/kits/team/collectors.ts'
import { isoWeek } from '../../../src/core/zone.ts'
import { type SimWorld, simWorld } from '../../../src/sim/sim-world.ts'
import { contextOf } from '../ainews/rig.ts'

/** 10:00 in Shanghai, a Monday. */
export const now = '2026-11-30T02:00:00Z'

export function worldOf(files: Record<string, string>): SimWorld {
  return simWorld({ now, files })
}

/** A collector of the team over this world, in Shanghai. */
export async function collect(
  name: string,
  world: SimWorld,
  { options = {}, ...more }: Partial<CollectContext> & { options?: Record<string, unknown> } = {},
) {
  const found = teamCollectors.find(one => one.name === name)
  if (!found) throw new Error(`no collector ${name}`)
  const timeZone = 'Asia/Shanghai'
  const { date } = world.clock.local(world.clock.now(), timeZone)
  const names = { date, month: date.slice(0, 7), week: isoWeek(date), agent: 'ainews', job: 'test' }
  return found.collect(options, contextOf(world, { timeZone, names, ...more }))
}

export function textOf(world: SimWorld, path: string): string | undefined {
  const bytes = world.disk.read(`/ws/${path}`)
  return bytes && new TextDecoder().decode(bytes)
}

/** Names in a folder of the workspace, hidden ones too. */
export function namesIn(world: SimWorld, path: string): string[] {
  return (world.disk.list(`/ws/${path}`) ?? []).map(({ name }) => name)
}
