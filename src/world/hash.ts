/** SHA-256 in lower-case hex, 64 characters. Its module costs a tenth of a start, so it comes with the first use. */
export function sha256(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', content, 'hex')
}
