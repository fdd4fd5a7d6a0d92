import { pauseJob, resumeJob } from '../../flows/schedule/pause.ts'
import { type Action, textOption } from '../command.ts'

export const cronPause: Action = async ({ world, root, out }, [job], options) => {
  const report = await pauseJob(world, root(), { job: job!, reason: textOption(options, 'reason') })
  const { paused, changed } = report
  out.result(
    report,
    changed
      ? `${report.job} is paused: ${paused!.reason}`
      : `${report.job} was paused ${paused!.at}: ${paused!.reason}`,
  )
}

export const cronResume: Action = async ({ world, root, out }, [job]) => {
  const report = await resumeJob(world, root(), job!)
  out.result(report, report.changed ? `${report.job} runs again` : `${report.job} was not paused`)
}
