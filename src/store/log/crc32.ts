/**
 * CRC-32 of all parts after each other, as in zlib and PNG, 8 lower-case hex characters. Our own, because
 * loading node:zlib costs 3.5 ms on Node 20 and this table 0.13 ms.
 */
export function crc32(...parts: readonly Uint8Array[]): string {
  const known = (table ??= makeTable())
  let crc = 0xffffffff
  for (const bytes of parts) {
    for (let at = 0; at < bytes.length; at++) crc = known[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8)
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0')
}

let table: Uint32Array | undefined

function makeTable(): Uint32Array {
  const made = new Uint32Array(256)
  for (let index = 0; index < 256; index++) {
    let value = index
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
    made[index] = value >>> 0
  }
  return made
}
