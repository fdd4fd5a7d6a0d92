// Writes docs/cli.md from the command table, and crontab.example from the jobs of the template.
import { writeFileSync } from 'node:fs'
import { cliMarkdown } from '../src/cli/cli-markdown.ts'
import { commands } from '../src/cli/table.ts'
import { crontabExample } from './docs/crontab-example.ts'

writeFileSync(new URL('../docs/cli.md', import.meta.url), cliMarkdown(commands))
writeFileSync(new URL('../crontab.example', import.meta.url), await crontabExample())
