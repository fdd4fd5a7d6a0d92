import { isTimeZone } from '../../core/zone.ts'
import { readText } from '../../store/text.ts'
import type { World } from '../../world/world.ts'

/** Where Linux and macOS say in which zone the machine is: a link into the zone database, or a name. */
const localtime = '/etc/localtime'
const zoneName = '/etc/timezone'

/**
 * The IANA zone in which the host's cron daemon counts, whatever TZ says in
 * this shell. Where the machine does not name its zone, that of this process.
 */
export function hostZone({ disk, host }: Pick<World, 'disk' | 'host'>): string {
  const linked = /\/zoneinfo[^/]*\/(?:posix\/|right\/)?(.+)$/.exec(disk.realpath(localtime) ?? '')?.[1]
  const named = readText(disk, zoneName)?.trim()
  return [linked, named].find(zone => zone !== undefined && zone !== '' && isTimeZone(zone)) ?? host.timeZone
}
