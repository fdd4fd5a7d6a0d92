type PlistValue = string | number | PlistValue[] | { [key: string]: PlistValue }

const isText = (value: PlistValue | undefined): boolean => typeof value === 'string' && value !== ''
const isAbsolute = (value: PlistValue | undefined): boolean =>
  typeof value === 'string' && value.startsWith('/')
const isWhole = (from: number, to: number) => (value: PlistValue | undefined) =>
  typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to

/** The keys of a moment and of a job that launchd.plist(5) lists, as far as claw writes them; what it does not know it ignores in silence. */
const momentKeys: Record<string, (value: PlistValue) => boolean> = {
  Minute: isWhole(0, 59),
  Hour: isWhole(0, 23),
  Day: isWhole(1, 31),
  Weekday: isWhole(0, 7),
  Month: isWhole(1, 12),
}
const jobKeys: Record<string, (value: PlistValue) => boolean> = {
  Label: isText,
  ProgramArguments: value => Array.isArray(value) && value.every(isText) && isAbsolute(value[0]),
  WorkingDirectory: isAbsolute,
  EnvironmentVariables: value => isDict(value) && Object.values(value).every(isText),
  StandardOutPath: isAbsolute,
  StandardErrorPath: isAbsolute,
  StartInterval: isWhole(1, 86_400),
  StartCalendarInterval: value =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(moment => faultsOf(moment, momentKeys).length === 0),
}

/** What launchd would not take, or would pass over. */
export function plistFaults(text: string): string[] {
  const value = readPlist(text)
  const missing = ['Label', 'ProgramArguments'].filter(key => !isDict(value) || value[key] === undefined)
  return [...missing.map(key => `no ${key}`), ...faultsOf(value, jobKeys)]
}

function faultsOf(value: PlistValue, keys: Record<string, (value: PlistValue) => boolean>): string[] {
  if (!isDict(value)) return ['no dict']
  return Object.entries(value)
    .filter(([key, member]) => !keys[key]?.(member))
    .map(([key]) => `${key} is wrong`)
}

function isDict(value: PlistValue | undefined): value is { [key: string]: PlistValue } {
  return typeof value === 'object' && !Array.isArray(value)
}

/** The few elements that are used here; well-formedness is checked by xmllint. */
export function readPlist(text: string): PlistValue {
  const tokens = [...text.replace(/^[^]*<plist[^>]*>/, '').matchAll(/<(\/?)(\w+)>([^<]*)/g)].map(
    ([, close, tag, content]) => ({ close: close === '/', tag, text: unescaped(content ?? '') }),
  )
  let at = 0
  const read = (): PlistValue => {
    const token = tokens[at++]
    if (token?.tag === 'string' || token?.tag === 'integer') {
      at += 1
      return token.tag === 'string' ? token.text : Number(token.text === '' ? 'none' : token.text)
    }
    if (token?.tag === 'array') {
      const items: PlistValue[] = []
      while (!tokens[at]?.close) items.push(read())
      at += 1
      return items
    }
    if (token?.tag !== 'dict') throw new Error(`an element that is not known: ${token?.tag}`)
    const dict: Record<string, PlistValue> = {}
    while (tokens[at]?.tag === 'key') {
      const key = tokens[at]!.text
      at += 2
      dict[key] = read()
    }
    at += 1
    return dict
  }
  return read()
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
