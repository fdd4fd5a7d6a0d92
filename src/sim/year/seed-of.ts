/** A seed for one part of a simulation (a day, a process), so that parts do not shift each other. */
export function seedOf(...parts: readonly (number | string)[]): number {
  let hash = 0x81_1c_9d_c5
  for (const character of parts.join('/')) {
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01_00_01_93)
  }
  return hash >>> 0
}
