import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSlots } from '../../../src/core/cron.ts'
import { plainExpression } from '../../../src/core/render/calendar-fields.ts'
import { kubernetesManifests, type Manifest } from '../../../src/core/render/kubernetes.ts'
import { cronJobFaults } from './cron-job-check.ts'
import { expressions, planAt, plannedJob } from './plan-rig.ts'

const jobs = [
  plannedJob(),
  plannedJob({ agent: 'Zoë', name: 'a very long job name that goes on and on and on and on for ever' }),
  plannedJob({ agent: 'zoe', name: 'a very long job name that goes on and on and on and on for ever' }),
  plannedJob({ agent: 'a-b', name: 'c', withinMs: undefined }),
  plannedJob({ agent: 'a', name: 'b-c', expression: '0 22-2 * * FRI-7' }),
]
const manifests = kubernetesManifests(planAt('/srv/team', jobs))
const cronJobs = manifests.filter(manifest => manifest.kind === 'CronJob')

function changed(path: string, value: unknown): Manifest {
  const copy: Manifest = structuredClone(cronJobs[0]!)
  const keys = path.split('.')
  let at = copy as unknown as Record<string, unknown>
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>
  at[keys.at(-1)!] = value
  return copy
}

test('a job is a CronJob in its own zone that never overlaps, with the catch-up window as its deadline', () => {
  const { metadata, spec } = cronJobs[0]!
  assert.equal(metadata.name, 'claw-ainews-morning-digest')
  assert.deepEqual(
    [spec.schedule, spec.timeZone, spec.concurrencyPolicy, spec.startingDeadlineSeconds],
    ['30 8 * * *', 'Asia/Shanghai', 'Forbid', 7200],
  )
  const { backoffLimit, template } = spec.jobTemplate.spec
  assert.deepEqual([backoffLimit, template.spec.restartPolicy], [0, 'Never'])
  assert.deepEqual(template.spec.containers[0]!.args.slice(0, 5), [
    '-C',
    '/workspace',
    'run',
    'ainews',
    'morning-digest',
  ])
  assert.equal(
    cronJobs.find(job => job.metadata.name.startsWith('claw-a-b-c-'))?.spec.startingDeadlineSeconds,
    60,
  )
})

test('all pods mount one claim that several hosts may write to', () => {
  const [claim] = manifests
  assert.equal(claim?.kind, 'PersistentVolumeClaim')
  const names = cronJobs.map(
    ({ spec }) => spec.jobTemplate.spec.template.spec.volumes[0]!.persistentVolumeClaim.claimName,
  )
  assert.deepEqual([...new Set(names)], [claim!.metadata.name])
})

test('every manifest keeps the fields and types of batch/v1, and no two share a name', () => {
  assert.deepEqual(cronJobs.flatMap(cronJobFaults), [])
  assert.equal(cronJobs.length, 6)
  assert.equal(new Set(cronJobs.map(({ metadata }) => metadata.name)).size, 6)
})

test('the check catches a field, a type, a name and a value that the API would refuse', () => {
  const faults = (path: string, value: unknown): number => cronJobFaults(changed(path, value)).length
  assert.equal(faults('spec.startingDeadlineSeconds', '7200'), 1)
  assert.equal(faults('spec.concurencyPolicy', 'Forbid'), 1)
  assert.equal(faults('spec.schedule', undefined), 1)
  assert.equal(faults('spec.jobTemplate.spec.template.spec.restartPolicy', 'Always'), 1)
  assert.equal(faults('metadata.name', 'claw-Zoë'), 1)
  assert.equal(faults('metadata.name', 'a'.repeat(53)), 1)
  assert.equal(faults('spec.schedule', '0 9 * * 7'), 1)
})

test('an expression in numbers alone has the moments of the one that was written', () => {
  for (const expression of expressions) {
    const slots = (text: string) =>
      nextSlots({ kind: 'cron', expression: text }, 'UTC', Date.UTC(2026, 0, 1), 50)
    assert.deepEqual(slots(plainExpression(expression)), slots(expression), expression)
  }
  assert.equal(plainExpression('0 22-2 * * FRI-7'), '0 0-2,22,23 * * 0,5,6')
  assert.equal(plainExpression('*/5 9-15 * * 1-5'), '*/5 9-15 * * 1-5')
})
