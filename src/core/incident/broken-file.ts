import type { Incident, IncidentBook, Notice } from '../incident.ts'
import { fromIso, type Millis, minuteMs, toIso } from '../millis.ts'

/** A job file that cannot be used, as the tick finds it. */
export interface BrokenFile {
  job: string
  /** `file:line:column: why` */
  why: string
  /** Names the incident, if it is the first sight of it. */
  id: string
}

export interface BrokenAlert {
  job: string
  /** The id of the incident. */
  run: string
  notice: Notice
}

/** So long a person may be in the middle of an edit before anybody is told. */
export const brokenAlertMs = 15 * minuteMs

/**
 * The book with an open incident for each job file that cannot be used. It ends with
 * a good run of the job, or with `gone`: jobs that are off, by hand only, or deleted.
 * `alerts` are to be told now, `alertAt` is when the next of them is.
 */
export function noteBroken(
  book: IncidentBook,
  { broken, gone, now }: { broken: readonly BrokenFile[]; gone: (job: string) => boolean; now: Millis },
): { book: IncidentBook; alerts: BrokenAlert[]; alertAt: Millis | undefined } {
  const alerts: BrokenAlert[] = []
  const waiting: Millis[] = []
  const kept = book.open.filter(
    ({ signature, jobs }) => !isBrokenMark(signature) || !Object.keys(jobs).every(gone),
  )
  const known = new Set(broken.map(({ job }) => brokenMark(job)))
  const incidents = broken.map(({ job, why, id }): Incident => {
    const before = kept.find(({ signature }) => signature === brokenMark(job))
    const at = toIso(now)
    const since = before?.since ?? at
    const alertAt = (fromIso(since) ?? now) + brokenAlertMs
    const incident: Incident = {
      ...(before ?? {
        id,
        signature: brokenMark(job),
        since,
        last: at,
        count: 0,
        jobs: { [job]: 0 },
        acknowledged: null,
      }),
      reason: why,
      alerted: before?.alerted ?? (now >= alertAt ? at : null),
    }
    if (incident.alerted === null) waiting.push(alertAt)
    else if (!before?.alerted) alerts.push({ job, run: incident.id, notice: brokenNotice(incident, job) })
    return incident
  })
  const others = kept.filter(({ signature }) => !known.has(signature))
  const open = [...others, ...incidents]
  const alertAt = waiting.length === 0 ? undefined : Math.min(...waiting)
  return {
    book: JSON.stringify(open) === JSON.stringify(book.open) ? book : { ...book, open },
    alerts,
    alertAt,
  }
}

/** Does an incident say that this job's file cannot be used? */
export function brokenIncident({ open }: IncidentBook, job: string): Incident | undefined {
  return open.find(({ signature }) => signature === brokenMark(job))
}

/** No run failed: its file cannot be used. */
export function isBrokenMark(signature: string): boolean {
  return signature.startsWith(brokenMark(''))
}

function brokenMark(job: string): string {
  return `broken file: ${job}`
}

function brokenNotice({ id, reason, since }: Incident, job: string): Notice {
  return {
    kind: 'alert',
    key: `incident-${id}-alert`,
    text: `${job} cannot run since ${since}, its file is broken: ${reason}\nNothing more is sent about it until it is over. claw incidents ack ${id}`,
  }
}
