// The long forms of test/faults: npm run storm -- [--kills 10000] [--store] [--commands] [--only <words>] [--seed 1]
import { parseArgs } from 'node:util'
import { stormKills } from './storm/kills.ts'
import { sweepCommands } from './storm/commands.ts'
import { sweepStore } from './storm/store.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    store: { type: 'boolean' },
    commands: { type: 'boolean' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
  },
})
const takesAll = values.kills === undefined && !values.store && !values.commands

const results: boolean[] = []
if (takesAll || values.kills !== undefined) {
  results.push(await stormKills({ kills: Number(values.kills ?? 10_000), seed: Number(values.seed) }))
}
if (takesAll || values.store) results.push(await sweepStore(values.only))
if (takesAll || values.commands) results.push(await sweepCommands(values.only))
process.exit(results.every(Boolean) ? 0 : 1)
