/** What caches hold and do, as the server tells it; times are milliseconds since 1970. */
export interface CachingState {
  readonly now: number
  readonly reads: Readonly<Record<Source, Counts>>
  readonly memory: { readonly entries: number; readonly bytes: number; readonly maxBytes: number }
  readonly hottest: readonly HotKey[]
  readonly filter: FilterState
  readonly lifetimes: readonly Lifetimes[]
  readonly purges: { readonly lagMs: number | null; readonly targets: readonly Target[] }
}

export type Source = 'hit' | 'miss' | 'bypass'

/** Answers since the start of the server, in full and as 304. */
interface Counts {
  readonly full: number
  readonly unchanged: number
}

export interface HotKey {
  readonly key: string
  readonly bytes: number
  readonly public: boolean
  readonly expires: number
}

export interface FilterState {
  readonly stale: number
  readonly tracked: number
  readonly capacity: number
  readonly bits: number
  readonly fill: number
  readonly falsePositives: number
  readonly allStaleUntil: number | null
  readonly untrackedUntil: number | null
}

export interface Lifetimes {
  readonly kind: 'object' | 'query'
  readonly changed: number
  readonly expired: number
  readonly ratios: readonly { readonly atMost: number | null; readonly count: number }[]
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
  readonly medianMs: number
  readonly p99Ms: number
}

/** What is known of the copies of one URL. */
export interface Entry {
  readonly now: number
  readonly key: string
  readonly url: string
  readonly copy: Copy | null
  readonly tracked: boolean
  readonly heldUntil: number | null
  readonly staleUntil: number | null
  readonly inFilter: boolean
  readonly spellings: readonly string[]
}

interface Copy {
  readonly etag: string
  readonly cacheControl: string
  readonly public: boolean
  readonly version: number | null
  readonly bytes: number
  readonly browserSeconds: number
  readonly sharedSeconds: number
  readonly created: number
  readonly expires: number
}
