/** Arguments after the schema was checked: what is absent or of another type has its default. */
export function textArg(args: Record<string, unknown>, name: string): string {
  const value = args[name]
  return typeof value === 'string' ? value : ''
}

export function numberArg(args: Record<string, unknown>, name: string): number | undefined {
  const value = args[name]
  return typeof value === 'number' ? value : undefined
}

export function flagArg(args: Record<string, unknown>, name: string): boolean {
  return args[name] === true
}

export function textsArg(args: Record<string, unknown>, name: string): string[] | undefined {
  const value = args[name]
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : undefined
}
