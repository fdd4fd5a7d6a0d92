/** Where the bytes of a file end in a buffer that has room for more. */
const ends = new WeakMap<ArrayBufferLike, number>()

/**
 * Both after each other. What was handed out of the first stays as it is: new bytes
 * go behind its end, where nobody has looked, or into a larger buffer. So a log that
 * grows line by line is not copied for each.
 */
export function appended(bytes: Uint8Array, more: Uint8Array): Uint8Array {
  const { buffer, byteOffset, length } = bytes
  const end = byteOffset + length
  const size = length + more.length
  if (ends.get(buffer) === end && byteOffset + size <= buffer.byteLength) {
    const whole = new Uint8Array(buffer, byteOffset, size)
    whole.set(more, length)
    ends.set(buffer, end + more.length)
    return whole
  }
  const whole = new Uint8Array(new ArrayBuffer(Math.ceil(size * 1.5)), 0, size)
  whole.set(bytes)
  whole.set(more, length)
  ends.set(whole.buffer, size)
  return whole
}
