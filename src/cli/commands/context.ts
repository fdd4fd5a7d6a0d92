import { type ContextReport, contextReport } from '../../flows/context-report.ts'
import type { Action, CommandContext } from '../command.ts'
import type { Out } from '../out.ts'

export const contextList: Action = async (context, args) => {
  const { system: _system, user: _user, tools, ...report } = await reportOf(context, args)
  const brief = tools.map(({ schema: _, ...tool }) => tool)
  context.out.result({ ...report, tools: brief }, table(context.out, { ...report, tools }))
}

export const contextDetail: Action = async (context, args) => {
  const report = await reportOf(context, args)
  const schemas = report.tools.map(tool => `--- tool ${tool.name}\n${JSON.stringify(tool.schema, null, 2)}`)
  const text = [
    table(context.out, report),
    '--- system',
    report.system,
    '--- user',
    report.user,
    ...schemas,
  ].join('\n\n')
  context.out.result(report, text)
}

function reportOf(
  { world, root, ports }: CommandContext,
  [agent, job]: readonly (string | undefined)[],
): Promise<ContextReport> {
  return contextReport(world, root(), { agent: agent!, job, ports })
}

function table(out: Out, report: Omit<ContextReport, 'system' | 'user'>): string {
  const rows = [
    ...report.parts.map(part => [
      part.name,
      `${part.tokens}`,
      `${part.chars} of ${part.rawChars}`,
      part.state,
      part.warning ?? part.path,
    ]),
    ...report.tools.map(tool => [`tool ${tool.name}`, `${tool.tokens}`, `${tool.chars}`, 'ok', '']),
    ['history', `${report.history.tokens}`, '', `${report.history.messages} messages`, ''],
  ]
  const share =
    report.window > 0 ? ` of ${report.window} (${((report.tokens / report.window) * 100).toFixed(1)} %)` : ''
  const foot = [
    `about ${report.tokens} tokens${share}; what the job gathers comes on top`,
    ...report.warnings.map(line => `warning: ${line}`),
  ]
  return [out.table(rows, ['part', 'tokens', 'characters', 'state', 'file']), ...foot].join('\n')
}
