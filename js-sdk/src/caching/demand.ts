/** How a {@link StalenessGuard} is made. */
export interface StalenessGuardOptions {
  /** Where the Bloom filter is, e.g. `/v1/bloomfilter`. */
  readonly url: string
  /** How old a state may be that a read returns, in seconds. @default 60 */
  readonly boundSeconds?: number
  /**
  Whether a cache on the way may answer a revalidation with a copy that it fetched since the filter was asked for, or, if the server
  purges it and says that it is not behind, with any copy: as new as the bound promises, and nearer than the server. The filter is then
  loaded in the background before it is too old. That takes a header for which browsers ask leave first, each time, where
  the API is on another origin. Pages that share a browser's cache have to agree about it: what one brings the others find. @default false
  */
  readonly nearby?: boolean
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** Milliseconds since any fixed time; must not go back, nor stand still while the computer sleeps. */
  readonly now?: () => number
  /** Told when a reload in the background failed. Until one succeeds, every read bypasses caches. */
  readonly onError?: (error: unknown) => void
}

/** How `fetch` has to treat the browser's cache. */
export type CacheMode = 'default' | 'no-cache' | 'force-cache'

/**
How new a read has to be:

- `any`: a copy within the life that the server gave it, unless the filter at hand, however old, calls it stale;
- `bounded`: a state that is at most as old as the bound;
- `fresh`: the newest state, past all caches.

A session sees its own writes in each.
*/
export type Consistency = 'any' | 'bounded' | 'fresh'

/**
What one read asks for.

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
  /** Whether a copy of ours may have answered without asking anybody. */
  readonly isUnasked: boolean
  /** Whether the newest state was asked for, past all caches. */
  readonly isNewest: boolean
  /** How far the state is behind the newest one at most, in seconds, when it was asked for. */
  readonly boundSeconds: number
  /** How old the state is, in seconds: how long ago it was the newest one for certain. */
  readonly ageSeconds: number
}
