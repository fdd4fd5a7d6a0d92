export interface SimulateRequest {
  /** Of the workspace that is copied; undefined: the template. */
  root: string | undefined
  /** A local date of the host, YYYY-MM-DD. */
  from: string
  days: number
  seed: number
  faults: 'none' | 'light' | 'heavy'
  /** IANA zone of the host's clock. */
  hostZone: string
  everyTick: boolean
  untilFailure: boolean
  onDay: (day: SimulatedDay) => void
}

export interface SimulatedDay {
  /** From 1. */
  day: number
  date: string
  /** Invariants that did not hold on it. */
  problems: number
}

/** What `simulate --json` prints. */
export interface SimulateReport {
  workspace: string
  /** Local date of the host. */
  from: string
  days: number
  seed: number
  faults: SimulateRequest['faults']
  hostZone: string
  jobs: number
  /** Job files that could not be used, one line each. */
  broken: string[]
  /** Lines of jobs that fired. */
  fires: number
  ticks: { run: number; passedOver: number }
  /** By state of their records. */
  runs: Record<string, number>
  slots: { due: number; ran: number; skipped: number; missed: number; crashed: number; unrecorded: number }
  deliveries: { keyed: number; blind: number; unknown: number }
  killed: number
  /** Faults that did happen, by kind. */
  injected: Record<string, number>
  /** By name, how often it did not hold; every invariant is named. */
  invariants: Record<string, number>
  /** The first ones. */
  failures: SimulateFailure[]
  failureCount: number
  msPerDay: { first: number; last: number; ratio: number }
  tookMs: number
  disk: { files: number; bytes: number; mostInFolder: number; fullestFolder: string }
}

export interface SimulateFailure {
  invariant: string
  what: string
  day: number
  date: string
  /** The last fault before it. */
  after: string
  /** A command line that comes here again. */
  replay: string
}

/** Copies the workspace into memory and runs it there; nothing outside is written. */
export type Simulate = (request: SimulateRequest) => Promise<SimulateReport>
