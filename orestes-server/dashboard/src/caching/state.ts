import type { Purges } from '../server/purges'

/** What caches hold and do, as the server tells it; times are milliseconds since 1970. */
export interface CachingState {
  readonly now: number
  readonly reads: Readonly<Record<Source, Counts>>
  readonly shared: readonly SharedCache[]
  readonly memory: { readonly entries: number; readonly bytes: number; readonly maxBytes: number }
  readonly busiest: readonly BusyKey[]
  readonly filter: FilterState
  readonly lifetimes: readonly Lifetimes[]
  readonly purges: Purges
}

export type Source = 'hit' | 'miss' | 'bypass'

/** Answers since the start of the server, in full and as 304. */
interface Counts {
  readonly full: number
  readonly unchanged: number
}

/** A shared cache that is told to forget, and what it tells of its own reads. */
export interface SharedCache {
  readonly name: string
  /** Whether its kind can be asked. */
  readonly canTell: boolean
  /** Of all its requests; null if it does not tell. */
  readonly counts: SharedCounts | null
}

interface SharedCounts {
  readonly hits: number
  readonly misses: number
  readonly passed: number
  readonly sinceMs: number
}

export interface BusyKey {
  readonly key: string
  readonly since: number
  readonly hits: number
  readonly misses: number
  readonly invalidations: number
  readonly copy: { readonly bytes: number; readonly public: boolean; readonly expires: number } | null
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
