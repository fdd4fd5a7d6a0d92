/** What is known of one exchange. Dates are YYYY-MM-DD and times HH:MM, both in its own zone. */
export interface ExchangeCalendar {
  timeZone: string
  /** First and last day for which `holidays` is complete. */
  from: string
  until: string
  /** Start (open) and end (closed) of each session of a normal day, in order. */
  sessions: readonly (readonly [start: string, end: string])[]
  /** Weekdays without trading, with their reason. */
  holidays: Readonly<Record<string, string>>
  /** Days on which trading ends before the last session does. */
  earlyCloses: Readonly<Record<string, string>>
  /** Who publishes the next year, and when. */
  announced: string
}
