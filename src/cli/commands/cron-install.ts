import { ClawError } from '../../core/claw-error.ts'
import { nearestHint } from '../../core/nearest.ts'
import { type CronChange, installCron, installFormats, uninstallCron } from '../../flows/cron-install.ts'
import { type Rendered, renderCron, renderFormats } from '../../flows/cron-render.ts'
import { type Action, type Options, textOption } from '../command.ts'
import type { Out } from '../out.ts'

export const cronInstall: Action = async ({ world, root, out }, _args, options) => {
  const change = await installCron(world, root(), request(options))
  tell(out, change, installed(change))
}

export const cronUninstall: Action = async ({ world, root, out }, _args, options) => {
  const of = textOption(options, 'root')
  const change = await uninstallCron(world, root(), { ...request(options), ...(of !== undefined && { of }) })
  const whose = of === undefined ? 'this workspace' : of
  const done = change.changed ? `nothing of ${whose} fires by itself any more` : 'nothing was installed'
  tell(out, change, change.dryRun && change.changed ? 'this would be taken out' : done)
}

export const cronRender: Action = async ({ world, root, out }, _args, options) => {
  const rendered = await renderCron(world, root(), {
    format: formatOf(options, renderFormats),
    out: textOption(options, 'out'),
  })
  for (const warning of rendered.warnings) out.warn(warning)
  out.result(rendered, renderedText(rendered))
}

function request(options: Options) {
  return { format: formatOf(options, installFormats), dryRun: options['dryRun'] === true }
}

function formatOf<T extends string>(options: Options, formats: readonly T[]): T {
  const given = textOption(options, 'format') ?? formats[0]!
  const format = formats.find(name => name === given)
  if (format) return format
  throw new ClawError('usage', `no format ${given}`, { hint: nearestHint(given, [...formats], 'formats') })
}

function tell(out: Out, change: CronChange, sentence: string): void {
  for (const warning of change.warnings) out.warn(warning)
  const { dryRun, diff, next, backup, dated } = change
  const lines = [
    ...(dryRun ? diff : []),
    sentence,
    ...(backup === null ? [] : [`the table as it was: ${backup}`]),
    ...(dated ? [datedText(dated)] : []),
    ...(dryRun ? [] : next.map(command => `now run: ${command}`)),
  ]
  out.result(change, lines.join('\n'))
}

function installed({ changed, dryRun, format, jobs, byTick, hostZone }: CronChange): string {
  const tick = byTick.length > 0 ? `; the tick starts ${byTick.map(({ job }) => job).join(', ')}` : ''
  const what = `${jobs} jobs and the tick, in the clock of ${hostZone}${tick}`
  if (!changed) return `up to date: ${what}`
  return dryRun ? `would install ${what}` : `installed for ${format}: ${what}`
}

function datedText({ year, jobs }: NonNullable<CronChange['dated']>): string {
  const whose = jobs.length === 1 ? jobs[0] : `${jobs.length} jobs`
  return `the lines of ${whose} go by the clock changes of ${year}: run claw cron install again next January; what they miss until then the tick starts`
}

function renderedText({ files, out }: Rendered): string {
  if (out !== null) return `${out}: wrote ${files.map(({ name }) => name).join(', ')}`
  if (files.length === 1) return files[0]!.text.trimEnd()
  return files
    .map(({ name, text }) => `# ${name}\n${text}`)
    .join('\n')
    .trimEnd()
}
