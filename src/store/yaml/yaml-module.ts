/** The package once it is loaded: only code that parses pays for it. */
export type YamlModule = typeof import('yaml')

/** Keys and list indexes, from the outside in. */
export type YamlPath = readonly (string | number)[]

/** As the value has it: `1:` and `"1":` are one key of an object. */
export function keyOf(yaml: YamlModule, key: unknown): string {
  return String(yaml.isScalar(key) ? key.value : key)
}
