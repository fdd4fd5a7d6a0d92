import { asWindows1252 } from './html-entity.ts'

export interface DecodedText {
  text: string
  /** WHATWG name of the encoding that was used. */
  encoding: string
  /** True when nothing named this encoding, or some bytes did not fit it. */
  isGuess: boolean
}

/**
 * The text of a feed or page. Order of trust: byte order mark, zero bytes of
 * UTF-16/32, the HTTP charset, the document's own declaration, UTF-8. An
 * encoding that the bytes do not fit is passed over. Bytes that are valid UTF-8
 * beat a single-byte label, which fits anything and is often just a default.
 */
export function decodeBytes(bytes: Uint8Array, contentType = ''): DecodedText {
  const marked = byMark(bytes) ?? byZeroBytes(bytes)
  if (marked) return { ...marked, isGuess: false }
  const labels = [charsetOf(contentType), declaredEncoding(bytes)].filter(label => label !== undefined)
  const utf8 = strictly(bytes, 'utf-8')
  for (const label of labels) {
    const encoding = encodingName(label)
    if (encoding === undefined) continue
    if (isSingleByte(encoding) && utf8 !== undefined) break
    const text = strictly(bytes, encoding)
    if (text !== undefined) return { text, encoding, isGuess: false }
  }
  if (utf8 !== undefined) return { text: utf8, encoding: 'utf-8', isGuess: false }
  const named = labels.map(encodingName).find(encoding => encoding !== undefined)
  const encoding = named ?? 'windows-1252'
  return { text: decoded(bytes, encoding, false), encoding, isGuess: true }
}

function byMark(bytes: Uint8Array): Omit<DecodedText, 'isGuess'> | undefined {
  const [a, b, c, d] = bytes
  if (a === 0xff && b === 0xfe && c === 0 && d === 0)
    return { text: utf32(bytes, true), encoding: 'utf-32le' }
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff)
    return { text: utf32(bytes, false), encoding: 'utf-32be' }
  const encoding =
    a === 0xef && b === 0xbb && c === 0xbf
      ? 'utf-8'
      : a === 0xff && b === 0xfe
        ? 'utf-16le'
        : a === 0xfe && b === 0xff
          ? 'utf-16be'
          : undefined
  return encoding && { text: new TextDecoder(encoding).decode(bytes), encoding }
}

/** A document starts with `<`, `{` or blank; the zero bytes beside it tell the width. */
function byZeroBytes(bytes: Uint8Array): Omit<DecodedText, 'isGuess'> | undefined {
  const [a, b, c, d] = bytes
  if (bytes.length < 4) return undefined
  if (a === 0 && b === 0 && c === 0 && d !== 0) return { text: utf32(bytes, false), encoding: 'utf-32be' }
  if (a !== 0 && b === 0 && c === 0 && d === 0) return { text: utf32(bytes, true), encoding: 'utf-32le' }
  const encoding =
    a !== 0 && b === 0 && d === 0 ? 'utf-16le' : a === 0 && c === 0 && b !== 0 ? 'utf-16be' : undefined
  return encoding && { text: new TextDecoder(encoding).decode(bytes), encoding }
}

function utf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: string[] = []
  for (let offset = 0; offset + 4 <= bytes.length; offset += 4) {
    const code = view.getUint32(offset, isLittleEndian)
    const isScalar = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    if (code !== 0xfeff) pieces.push(isScalar ? String.fromCodePoint(code) : '\ufffd')
  }
  return pieces.join('')
}

function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]
}

/** From the XML declaration or an HTML `meta`, both of which are plain ASCII in every encoding left here. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
  return (
    /<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1] ??
    /<meta[^>]*?\bcharset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1]
  )
}

const otherNames: Readonly<Record<string, string>> = {
  'iso8859-1': 'windows-1252',
  'x-gb18030': 'gb18030',
  cp936: 'gbk',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  cp950: 'big5',
}

function encodingName(label: string): string | undefined {
  const name = label.toLowerCase()
  // A declaration that was read byte by byte cannot be in UTF-16, whatever it says.
  if (/^(?:utf|ucs|iso-10646-ucs)-?(?:16|32|2|4)/.test(name)) return undefined
  try {
    return new TextDecoder(otherNames[name] ?? name).encoding
  } catch {
    return undefined
  }
}

function isSingleByte(encoding: string): boolean {
  return /^(?:windows-|iso-8859-|koi8-|macintosh|ibm866|x-mac|x-user)/.test(encoding)
}

function strictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return decoded(bytes, encoding, true)
  } catch {
    return undefined
  }
}

/** Some versions of Node read windows-1252 as Latin-1. */
function decoded(bytes: Uint8Array, encoding: string, fatal: boolean): string {
  const text = new TextDecoder(encoding, { fatal }).decode(bytes)
  return encoding === 'windows-1252' ? asWindows1252(text) : text
}
