import { minuteMs } from '../millis.ts'
import { plainExpression } from './calendar-fields.ts'
import { jobArgs, type Plan, tickArgs } from './plan.ts'
import { unitName } from './unit-name.ts'

/** A CronJob's name leaves 11 of 63 characters to the names of its pods. */
const maxNameLength = 52

/** Where the volume is mounted in each pod. */
const mountPath = '/workspace'

/** The claim and the secret that the manifests name. */
const claimName = 'claw-workspace'
const secretName = 'claw-env'

/** Below 10 s the controller may never start a job; a missed slot that is not caught up may still be this late. */
const shortestDeadlineMs = minuteMs

export type Manifest = ReturnType<typeof cronJob> | typeof volumeClaim

/** The claim of the shared volume, a CronJob for each job in its own zone, and one for the tick. */
export function kubernetesManifests({ jobs, digest }: Plan): Manifest[] {
  const planned = jobs.map(job =>
    cronJob({
      name: unitName(['claw', job.agent, job.name], { maxLength: maxNameLength, digest }),
      schedule: plainExpression(job.expression),
      timeZone: job.timeZone,
      deadlineMs: Math.max(job.withinMs ?? 0, shortestDeadlineMs),
      args: jobArgs(mountPath, job),
    }),
  )
  const tick = cronJob({
    name: 'claw-tick',
    schedule: '* * * * *',
    timeZone: 'Etc/UTC',
    deadlineMs: shortestDeadlineMs,
    args: tickArgs(mountPath),
  })
  return [volumeClaim, ...planned, tick]
}

const labels = { 'app.kubernetes.io/name': 'claw' }

const volumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: claimName, labels },
  spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '5Gi' } } },
} as const

interface CronJobPlan {
  name: string
  schedule: string
  timeZone: string
  deadlineMs: number
  args: readonly string[]
}

function cronJob({ name, schedule, timeZone, deadlineMs, args }: CronJobPlan) {
  const container = {
    name: 'claw',
    image: 'claw:latest',
    command: ['claw'],
    // `$(NAME)` in an argument would be filled in.
    args: args.map(word => word.replaceAll('$(', '$$$$(')),
    envFrom: [{ secretRef: { name: secretName, optional: true } }],
    volumeMounts: [{ name: 'workspace', mountPath }],
  }
  const pod = {
    restartPolicy: 'Never',
    containers: [container],
    volumes: [{ name: 'workspace', persistentVolumeClaim: { claimName } }],
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, labels },
    spec: {
      schedule,
      timeZone,
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: Math.round(deadlineMs / 1000),
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: { backoffLimit: 0, template: { metadata: { labels }, spec: pod } },
      },
    },
  } as const
}
