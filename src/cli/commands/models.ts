import { exitCodes } from '../../core/claw-error.ts'
import { listModels, testModels } from '../../flows/model-chains.ts'
import type { Action } from '../command.ts'

export const modelsList: Action = async ({ world, root, out }) => {
  const lines = await listModels(world, root())
  const rows = lines.map(line => [
    line.ref,
    line.tiers.join(' '),
    line.api,
    line.window === null ? '?' : String(line.window),
    line.price ? `${line.price.in}/${line.price.out}` : 'price unknown',
    line.cooling ? `rests until ${line.cooling}` : line.key,
  ])
  out.result(lines, out.table(rows, ['model', 'tiers', 'api', 'window', 'USD per million', 'key']))
}

export const modelsTest: Action = async ({ world, root, out, ports }, [ref]) => {
  const tests = await testModels(world, root(), {
    ask: ports.ask,
    ref,
    onEach: name => out.note(`asking ${name}`),
  })
  const rows = tests.map(test => [
    test.ref,
    test.ok ? out.style('green', 'ok') : out.style('red', test.why),
    `${test.ms} ms`,
    test.detail,
  ])
  out.result(
    tests,
    tests.length === 0 ? 'no model is configured; every chain is offline/extractive' : out.table(rows),
  )
  return tests.every(test => test.ok) ? exitCodes.ok : exitCodes.failed
}
