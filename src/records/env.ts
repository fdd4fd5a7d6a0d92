import { parseEnv } from 'node:util'
import { ClawError } from '../core/claw-error.ts'
import { plainLines, readText } from '../store/text.ts'
import type { World } from '../world/world.ts'
import { envFile } from './paths.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** `${NAME}` */
const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** The process's environment over the workspace's `.env` (dotenv rules: comments, quotes, CR stripped). */
export function loadEnv({ disk, host }: Pick<World, 'disk' | 'host'>, root: string): Env {
  const source = readText(disk, envFile(root))
  if (source === undefined) return host.env
  const own = parseEnv(plainLines(source))
  return { ...own, ...host.env }
}

/** Fills `${NAME}`; throws `config-invalid` naming the variable and where it is used, never a value. */
export function fillSecrets(source: string, env: Env, where: string): string {
  return source.replaceAll(reference, (_, name: string) => {
    const value = env[name]
    if (value) return value
    throw new ClawError('config-invalid', `${where}: \${${name}} is not set`, {
      hint: `export ${name}=..., or add it to .env in the workspace`,
    })
  })
}

/** The values of all `${NAME}` that occur in these texts and are set: what must be masked. */
export function secretValues(sources: readonly (string | undefined)[], env: Env): string[] {
  const values = new Set<string>()
  for (const source of sources) {
    for (const [, name] of source?.matchAll(reference) ?? []) {
      const value = env[name!]
      if (value) values.add(value)
    }
  }
  return [...values]
}
