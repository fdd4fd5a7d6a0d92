export type SilentToken = 'NO_REPLY' | 'HEARTBEAT_OK'

const tokens = 'NO_REPLY|HEARTBEAT_OK'
const whole = new RegExp(String.raw`^[\s*_\`~"']*(${tokens})[\s*_\`~"']*[.!。！]{0,4}[\s*_\`~"']*$`, 'i')
const atEdge = new RegExp(String.raw`^\s*[*_\`~]*(?:${tokens})[*_\`~]*[.!。！]{0,4}\s*$`, 'i')

/**
 * The one rule on every path: a reply is silent only when the token is all of it.
 * White space, light markup around it, up to four closing marks and letter case
 * do not matter; a token inside or beside prose is prose.
 */
export function silentToken(reply: string): SilentToken | undefined {
  const token = whole.exec(reply)?.[1]?.toUpperCase()
  return token === 'NO_REPLY' || token === 'HEARTBEAT_OK' ? token : undefined
}

/** The text for people: lines at either end that hold nothing but a token are taken off. */
export function withoutSilentToken(reply: string): string {
  const lines = reply.trim().split('\n')
  while (lines.length > 1 && isTokenLine(lines[0])) lines.shift()
  while (lines.length > 1 && isTokenLine(lines.at(-1))) lines.pop()
  return lines.join('\n').trim()
}

function isTokenLine(line: string | undefined): boolean {
  return line !== undefined && atEdge.test(line)
}
