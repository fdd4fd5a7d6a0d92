import { exitCodes } from '../../core/claw-error.ts'
import { doctor as examine, type DoctorReport } from '../../flows/doctor.ts'
import type { Action } from '../command.ts'
import type { Out } from '../out.ts'

export const doctor: Action = async ({ world, root, ports, out }, _args, options) => {
  const report = await examine(world, root(), { ports, fix: options['fix'] === true })
  out.result(report, reportText(out, report))
  if (report.ok) return exitCodes.ok
  out.error(`doctor found ${errorsIn(report)}`)
  return exitCodes.failed
}

const styles = { error: 'red', warning: 'yellow', note: 'dim' } as const

function reportText(out: Out, report: DoctorReport): string {
  const { findings, fixed, ok } = report
  const lines = findings.map(finding => {
    const where = [finding.path, finding.line].filter(part => part !== undefined && part !== '').join(':')
    const said = finding.text.startsWith(where)
      ? finding.text
      : [where, finding.text].filter(Boolean).join(': ')
    return `${out.style(styles[finding.level], finding.level.padEnd(7))} ${said}${finding.fix ? ` (--fix: ${finding.fix})` : ''}`
  })
  const repaired = fixed.map(finding => `${out.style('green', 'fixed  ')} ${finding.path}: ${finding.fix}`)
  const verdict = ok ? (findings.length === 0 ? 'all is well' : 'no errors') : errorsIn(report)
  return [...lines, ...repaired, verdict].join('\n')
}

function errorsIn({ findings }: DoctorReport): string {
  const count = findings.filter(finding => finding.level === 'error').length
  return `${count} ${count === 1 ? 'error' : 'errors'}`
}
