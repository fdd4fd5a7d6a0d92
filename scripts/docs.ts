// Writes docs/cli.md from the command table.
import { writeFileSync } from 'node:fs'
import { cliMarkdown } from '../src/cli/cli-markdown.ts'
import { commands } from '../src/cli/table.ts'

writeFileSync(new URL('../docs/cli.md', import.meta.url), cliMarkdown(commands))
