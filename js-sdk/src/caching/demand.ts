/** Options of a {@link StalenessGuard}. */
export interface StalenessGuardOptions {
  /** URL of the Bloom filter, e.g. `/v1/bloomfilter`. */
  readonly url: string
  /** Maximum staleness of a read, in seconds. @default 60 */
  readonly boundSeconds?: number
  /**
  True if a cache on the way may answer a revalidation with a copy that it fetched since the filter
  was requested, or, if the server purges it and reports no lag, with any copy: as new as the bound
  promises, and nearer than the server. The filter is then loaded in the background before it is too
  old. Where the API is on another origin, browsers send a preflight request for the header. Pages
  that share a browser's cache need one value: each finds copies of the others. @default false
  */
  readonly nearby?: boolean
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /**
  Milliseconds since any fixed time; must not go back, nor stand still while the computer sleeps.
  */
  readonly now?: () => number
  /**
  Called when a reload in the background failed. Until one succeeds, every read bypasses caches.
  */
  readonly onError?: (error: unknown) => void
}

/** Mode of the browser's cache in `fetch`. */
export type CacheMode = 'default' | 'no-cache' | 'force-cache'

/**
Required freshness of a read:

- `any`: a copy within the time to live that the server gave it, unless the current filter, however
  old, contains its key;
- `bounded`: a state that is at most as old as the bound;
- `fresh`: the newest state, past all caches.

A session sees its own writes in each.
*/
export type Consistency = 'any' | 'bounded' | 'fresh'

/**
Demand of one read.

@example
```ts
const guard = new StalenessGuard({ url: '/v1/bloomfilter' })
const demand: Demand = { consistency: 'bounded', boundSeconds: 5 }
const answer: Answer = await guard.read('/db/Todo/milk', '/v1/db/Todo/milk', {}, demand)
show(`${answer.ageSeconds} s old, at most ${answer.boundSeconds} s behind`)
```
*/
export interface Demand {
  /** @default 'bounded' */
  readonly consistency?: Consistency
  /** The bound for this read, in seconds; a longer one than the guard's has no effect. */
  readonly boundSeconds?: number
}

/** An answer to a read. */
export interface Answer {
  readonly response: Response
  /** True if a local cache may have answered without a request. */
  readonly isUnasked: boolean
  /** True if the newest state was requested, past all caches. */
  readonly isNewest: boolean
  /** Maximum staleness in seconds, at the time of the request. */
  readonly boundSeconds: number
  /** Age of the state in seconds: the time since it was the newest one for certain. */
  readonly ageSeconds: number
}
