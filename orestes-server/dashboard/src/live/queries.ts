import type { LatencyBucket } from './latency'

/** The live queries of a server, as it tells of them; those with most subscribers first. */
export interface LiveList {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly total: number
  readonly subscribers: number
  readonly grid: Grid
  readonly latency: readonly LatencyBucket[]
  readonly queries: readonly LiveQuery[]
}

export interface Grid {
  readonly queriesByRow: readonly number[]
  /** Row by row. */
  readonly cells: readonly (readonly CellCounts[])[]
}

/** What a cell of the grid has done since it was started. */
export interface CellCounts {
  readonly writes: number
  readonly evaluations: number
  readonly events: number
}

export interface LiveQuery {
  readonly id: string
  readonly class: string
  readonly kind: 'filter' | 'sorted' | 'aggregate'
  readonly filter: string
  readonly aggregate: string | null
  readonly window: Window | null
  readonly subscribers: number
  readonly events: number
  readonly since: number
}

export interface Window {
  readonly order: string
  readonly start: number
  readonly count: number
  readonly held: number
  readonly slack: number
  readonly renewals: number
}

/** Events in a second of each query by its id, from one answer to the next; of one that is new since it was begun. */
export function ratesOf(
  before: LiveList | undefined,
  { now, queries }: LiveList,
): ReadonlyMap<string, number> {
  const known = new Map(before?.queries.map((query) => [query.id, query.events]))
  return new Map(
    queries.map(({ id, events, since }) => {
      const earlier = known.get(id)
      const from = before === undefined || earlier === undefined ? since : before.now
      return [id, ((events - (earlier ?? 0)) * 1000) / Math.max(1000, now - from)]
    }),
  )
}

/** The part of the result that a window shows, counted from 1. */
export function rangeOf({ start, count }: Window): string {
  return count === 0 ? 'nothing' : `${start + 1} to ${start + count}`
}
