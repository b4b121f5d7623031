/** How far behind shared caches are, and each of them. */
export interface Purges {
  readonly lagMs: number | null
  readonly targets: readonly Target[]
}

/** A shared cache that is told to forget. */
export interface Target {
  readonly name: string
  readonly late: boolean
  readonly backlog: number
  readonly sent: number
  readonly confirmed: number
  readonly failed: number
  readonly dead: number
  readonly flushes: number
  /** Null if it never confirmed anything. */
  readonly sinceConfirmedMs: number | null
  readonly medianMs: number
  readonly p99Ms: number
}
