import { cronCommand } from '../crontab-command.ts'
import { jobArgs, type Plan, tickArgs } from './plan.ts'

/** One line for each wake-up of a job in the host's zone, and the tick. */
export function crontabLines({ program, jobs }: Plan): string[] {
  const { nodePath, scriptPath, root } = program
  const lines = jobs.flatMap(job => {
    const command = cronCommand([nodePath, scriptPath, ...jobArgs(root, job)])
    return job.hostLines.map(expression => `${expression} ${command}`)
  })
  return [...lines, `* * * * * ${cronCommand([nodePath, scriptPath, ...tickArgs(root)])}`]
}
