import type { Disk } from '../world/disk.ts'

/** The whole file as UTF-8 with replacement, a BOM kept as it is; undefined when absent. */
export function readText(disk: Pick<Disk, 'read'>, path: string): string | undefined {
  const bytes = disk.read(path)
  return bytes === undefined ? undefined : decodeText(bytes)
}

/** Never throws: what is no UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** A lone surrogate becomes U+FFFD. */
export function encodeText(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}

/** Without byte order mark, with `\n` line ends. */
export function plainLines(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}

export function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? encodeText(content) : content
}
