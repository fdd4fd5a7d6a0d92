/** A union grew and a switch did not: the compiler says so before this throws. */
export function assertNever(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
