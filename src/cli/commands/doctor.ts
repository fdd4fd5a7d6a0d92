import { exitCodes } from '../../core/claw-error.ts'
import { doctor as examine, type DoctorReport } from '../../flows/doctor.ts'
import type { Action } from '../command.ts'
import type { Out } from '../out.ts'

export const doctor: Action = async ({ world, root, ports, out }, _args, options) => {
  const report = await examine(world, root(), { ports, fix: options['fix'] === true })
  out.result(report, reportText(out, report))
  return report.ok ? exitCodes.ok : exitCodes.failed
}

const styles = { error: 'red', warning: 'yellow', note: 'dim' } as const

function reportText(out: Out, { findings, fixed, ok }: DoctorReport): string {
  const lines = findings.map(finding => {
    const where = [finding.path, finding.line].filter(part => part !== undefined && part !== '').join(':')
    const said = finding.text.startsWith(where)
      ? finding.text
      : [where, finding.text].filter(Boolean).join(': ')
    return `${out.style(styles[finding.level], finding.level.padEnd(7))} ${said}${finding.fix ? ` (--fix: ${finding.fix})` : ''}`
  })
  const repaired = fixed.map(finding => `${out.style('green', 'fixed  ')} ${finding.path}: ${finding.fix}`)
  const errors = findings.filter(finding => finding.level === 'error').length
  const verdict = ok
    ? findings.length === 0
      ? 'all is well'
      : 'no errors'
    : `${errors} ${errors === 1 ? 'error' : 'errors'}`
  return [...lines, ...repaired, verdict].join('\n')
}
