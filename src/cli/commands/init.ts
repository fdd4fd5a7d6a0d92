import { ClawError } from '../../core/claw-error.ts'
import { initWorkspace } from '../../flows/init-workspace.ts'
import type { Action } from '../command.ts'

export const init: Action = async ({ world, out }, [dir], options) => {
  const template = options['template'] ?? 'team'
  if (template !== 'team' && template !== 'solo') {
    throw new ClawError('usage', `no template ${template}`, { hint: 'templates: team, solo' })
  }
  const report = initWorkspace(world, dir!, template)
  const kept = report.kept.length > 0 ? `, kept ${report.kept.length} that were there` : ''
  out.note(`try: claw -C ${dir} run ${template === 'team' ? 'ainews morning-digest' : 'zoe -m "hello"'}`)
  const text = `${report.root}: wrote ${report.created.length} files${kept}`
  out.result(report, text)
}
