type Shape = { [key: string]: Shape | Check }
type Check = (value: unknown) => boolean

const isText: Check = value => typeof value === 'string' && value !== ''
const isTexts: Check = value => Array.isArray(value) && value.every(isText)
const isCount: Check = value => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isFlag: Check = value => typeof value === 'boolean'
const isOneOf =
  (...values: string[]): Check =>
  value =>
    values.includes(value as string)
const isMap: Check = value =>
  typeof value === 'object' && value !== null && Object.values(value).every(isText)
const isList =
  (shape: Shape): Check =>
  value =>
    Array.isArray(value) && value.length > 0 && value.every(item => faultsOf(item, shape, '').length === 0)

/** DNS-1123, and short enough for the 11 characters that pods add. */
const isName: Check = value =>
  typeof value === 'string' && value.length <= 52 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(value)

/** Numbers in the ranges of the API's own parser, whose Sunday is 0 alone and whose ranges do not wrap. */
const isSchedule: Check = value => {
  const fields = typeof value === 'string' ? value.split(' ') : []
  const ranges: [number, number][] = [
    [0, 59],
    [0, 23],
    [1, 31],
    [1, 12],
    [0, 6],
  ]
  return (
    fields.length === 5 &&
    fields.every((field, index) =>
      field.split(',').every(part => {
        const [, from, to] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/\d+)?$/.exec(part) ?? [undefined, 'x']
        const [min, max] = ranges[index]!
        if (from === undefined) return true
        return Number(from) >= min && Number(to ?? from) <= max && Number(from) <= Number(to ?? from)
      }),
    )
  )
}

const labels = { 'app.kubernetes.io/name': isText }

/** The fields of a batch/v1 CronJob that are used here; a name that ends in `?` may be left out. After the published OpenAPI schema of Kubernetes 1.27 and later, where `timeZone` is stable. */
const cronJob: Shape = {
  apiVersion: isOneOf('batch/v1'),
  kind: isOneOf('CronJob'),
  metadata: { name: isName, 'namespace?': isName, 'labels?': labels },
  spec: {
    schedule: isSchedule,
    'timeZone?': isText,
    'concurrencyPolicy?': isOneOf('Allow', 'Forbid', 'Replace'),
    'startingDeadlineSeconds?': isCount,
    'suspend?': isFlag,
    'successfulJobsHistoryLimit?': isCount,
    'failedJobsHistoryLimit?': isCount,
    jobTemplate: {
      spec: {
        'backoffLimit?': isCount,
        'activeDeadlineSeconds?': isCount,
        template: {
          'metadata?': { 'labels?': labels },
          spec: {
            restartPolicy: isOneOf('Never', 'OnFailure'),
            containers: isList({
              name: isName,
              image: isText,
              'command?': isTexts,
              'args?': isTexts,
              'envFrom?': isList({ secretRef: { name: isName, 'optional?': isFlag } }),
              'env?': isMap,
              'volumeMounts?': isList({ name: isName, mountPath: isText }),
            }),
            'volumes?': isList({ name: isName, persistentVolumeClaim: { claimName: isName } }),
          },
        },
      },
    },
  },
}

/** Fields of a manifest that the API would refuse, miss or drop. */
export function cronJobFaults(manifest: unknown): string[] {
  return faultsOf(manifest, cronJob, '')
}

function faultsOf(value: unknown, shape: Shape, path: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is no mapping`]
  const members = value as Record<string, unknown>
  const known = Object.keys(shape).map(key => key.replace('?', ''))
  const unknown = Object.keys(members).filter(key => !known.includes(key))
  const wrong = Object.entries(shape).flatMap(([key, check]) => {
    const name = key.replace('?', '')
    const at = `${path}.${name}`
    if (members[name] === undefined) return key.endsWith('?') ? [] : [`${at} is missing`]
    if (typeof check === 'object') return faultsOf(members[name], check, at)
    return check(members[name]) ? [] : [`${at} is wrong`]
  })
  return [...unknown.map(key => `${path}.${key} is not known`), ...wrong]
}
