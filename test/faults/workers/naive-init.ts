import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The twin: copies `<from>` to `<to>`, passing over what is there, as one writes it first. */
const [from = '', to = ''] = process.argv.slice(2)
try {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const source = join(entry.parentPath, entry.name)
    const target = join(to, relative(from, source))
    if (existsSync(target)) continue
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, readFileSync(source))
  }
} catch (error) {
  writeSync(2, `claw: ${error instanceof Error ? error.message : ''}\n`)
  process.exit(75)
}
