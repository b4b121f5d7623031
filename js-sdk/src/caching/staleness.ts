import { type AbortOptions, orAborted } from '../aborting.js'
import { steadyClock } from '../clock.js'
import { plainFetch } from '../plainFetch.js'
import { type FilterMessage, toFilterMessage, toServerError } from '../wire.js'
import type { Answer, CacheMode, Demand, StalenessGuardOptions } from './demand.js'
import { isQuery, queriesOf, writes } from './keys.js'
import { isKept } from './freshness.js'
import { hasCrossedNetwork } from './source.js'
import {
  carriedFilter,
  type FilterCarrier,
  LAG_MILLIS,
  type LoadedFilter,
  loadedFilter,
  seconds,
} from './loadedFilter.js'
import { OwnWrites } from './ownWrites.js'

/** Pause after a failed reload, in milliseconds. */
const RETRY_MILLIS = 1000

/**
Time limit of a filter, in milliseconds; meanwhile nothing is used from caches, and no other filter
is requested.
*/
const PATIENCE_MILLIS = 10_000

/**
Maximum lag of purged caches behind the filter at which their copies are used, in milliseconds: they
are purged twice, a second apart.
*/
const PURGE_LAG_MILLIS = 2000

/**
Time before the filter is too old, in milliseconds, at which the next one is loaded: purges may be
that far behind, and loading takes time.
*/
const AHEAD_MILLIS = PURGE_LAG_MILLIS + 1000

/**
Time limit of a filter over an open connection, in milliseconds; then it is loaded by a request.
*/
const CARRIER_PATIENCE_MILLIS = 2000

/** Number of keys whose answers are remembered; an evicted key is requested again. */
const REMEMBERED = 10_000

/**
Time for which a write without an answer may still be done, in milliseconds: it may be on its way,
or wait in the server for the change of a class.
*/
export const DOUBT_MILLIS = 120_000

/**
Bounds the staleness of reads from the browser's cache, with the server's Bloom filter of stale keys
(protocol, section 13.3). A key is revalidated if the filter contains it or this page wrote it
since, unless it was revalidated since; every key is while there is no filter within the bound, or
one is being loaded, unless that happens ahead of time. A write by this page concerns all queries of
its class, except those that the server reports as unchanged.

Query results forbid browsers to use them without a request, for the sake of clients without a
filter. This guard has one, so it uses them from the browser's cache as long as the server lets
other caches store them.

@example
```ts
const guard = new StalenessGuard({ url: '/v1/bloomfilter', boundSeconds: 10 })
const response = await guard.fetch('/db/Todo/a', '/v1/db/Todo/a') // from the browser's cache, at most 10 s old
guard.wrote('/db/Todo/a') // after a write: the next read is new
```
@example
```ts
const guard = new StalenessGuard({ url: '/v1/bloomfilter' })
await guard.reload()
const cache: CacheMode = guard.cacheMode('/db/Todo/milk')
show([guard.isStale('/db/Todo/milk'), cache]) // [false, 'default']

const askedAt = guard.now()
const answer = await fetch('/v1/bloomfilter')
guard.adopt((await answer.json()) as FilterMessage, answer.headers, askedAt)
```
*/
export class StalenessGuard {
  readonly #url: string
  readonly #boundMillis: number
  readonly #nearby: boolean
  readonly #fetch: typeof fetch
  readonly #now: () => number
  readonly #onError: (error: unknown) => void
  /**
  Loads the filter before a request is sent for it.

  @internal
  */
  carrier: FilterCarrier | undefined

  /**
  Orders writes, revalidations and reloads, where a clock could stand still between two of them.
  */
  #step = 0
  readonly #writes = new OwnWrites()
  readonly #revalidatedAt = new Map<string, number>()
  /**
  Whether caches may store the last result of a query, and of any query of a class: those for one
  user they may not.
  */
  readonly #kept = new Map<string, boolean>()

  #loaded: LoadedFilter | undefined
  #reload: Promise<void> | undefined
  #nextReload: Promise<void> | undefined
  /** True if the filter is usable until the reload that is under way has ended. */
  #isAhead = false
  #retryAt = -Infinity

  constructor(options: StalenessGuardOptions) {
    this.#url = options.url
    this.#boundMillis = (options.boundSeconds ?? 60) * 1000
    this.#nearby = options.nearby ?? false
    this.#fetch = plainFetch(options.fetch)
    this.#now = options.now ?? steadyClock()
    this.#onError = options.onError ?? (() => {})
  }

  /** Age of the filter in seconds; infinite if there is none. */
  get filterAgeSeconds(): number {
    return this.#loaded ? (this.#now() - this.#loaded.askedAt) / 1000 : Infinity
  }

  /** Returns whether the filter contains the key; false if there is none. */
  isStale(key: string): boolean {
    return this.#loaded?.filter.contains(key) ?? false
  }

  /**
  Returns how to fetch the key now. Starts a reload in the background when the filter is older than
  the bound.
  */
  cacheMode(key: string): CacheMode {
    return this.#cacheMode(key, {})
  }

  #cacheMode(key: string, demand: Demand): CacheMode {
    if (demand.consistency === 'fresh') {
      return 'no-cache'
    }
    if (demand.consistency !== 'any' && this.#isDue(this.#millis(demand))) {
      this.#reloadInBackground()
    }
    if (this.#mustRevalidate(key, demand)) {
      return 'no-cache'
    }
    if (!isQuery(key)) {
      return 'default'
    }
    return (this.#kept.get(key) ?? this.#kept.get(queriesOf(key)) ?? true) ? 'force-cache' : 'no-cache'
  }

  /**
  Loads the key's resource within the bound.

  @param key id of an object or file as in the filter, or a {@link queryKey}
  @param url of the resource; always the same one for a key, as shared caches store a copy for each
  */
  async fetch(key: string, url: string, init: RequestInit = {}): Promise<Response> {
    return (await this.read(key, url, init)).response
  }

  /** Loads the key's resource as new as demanded, and returns its freshness. */
  async read(key: string, url: string, init: RequestInit = {}, demand: Demand = {}): Promise<Answer> {
    const cache = this.#cacheMode(key, demand)
    if (cache !== 'no-cache') {
      // a filter that arrives meanwhile was not consulted
      const promised = demand.consistency === 'any' ? Infinity : this.filterAgeSeconds + LAG_MILLIS / 1000
      const askedAt = performance.now()
      const response = await this.#fetch(url, { ...init, cache })
      if (cache === 'default' || this.#isAlive(response)) {
        return this.#unasked(response, promised)
      }
      this.#noteKept(key, response)
      // an answer that no cache may store can only be the server's, unless it is a local copy
      if (!isKept(response.headers) && (await hasCrossedNetwork(response, askedAt))) {
        return this.#asked(response)
      }
      await response.body?.cancel()
    }
    return this.#revalidate(key, url, init, demand)
  }

  /**
  Records a write by this page; to be called when it was answered.

  @param answer the server's: it may say that query results did not change
  */
  wrote(key: string, answer?: { readonly headers: Headers }): void {
    this.#note(this.#hasKeptResults(answer) ? [key] : [key, queriesOf(key)], this.#now())
  }

  /**
  Records a write by this page without an answer, which the server may have done, or may yet do for
  two minutes: until then no cache is used for what it concerns.

  @example
  ```ts
  const guard = new StalenessGuard({ url: '/v1/bloomfilter' })
  const { signal } = new AbortController()
  await fetch('/v1/db/Todo/a', { method: 'DELETE', signal }).then(
    (answer) => guard.wrote('/db/Todo/a', answer),
    () => guard.mayHaveWritten('/db/Todo/a'),
  )
  ```
  */
  mayHaveWritten(key: string): void {
    this.#note([key, queriesOf(key)], this.#now() + DOUBT_MILLIS)
  }

  #note(keys: readonly string[], at: number): void {
    const write = { step: ++this.#step, at }
    keys.forEach((each) => this.#writes.note(each, write))
  }

  /**
  Loads the current filter, after a reload that is under way: that one may not contain what was just
  written.

  @param options an abort ends the wait of this caller only
  @throws {ServerError} if the server refused
  */
  reload({ signal }: AbortOptions = {}): Promise<void> {
    return orAborted(this.#reloadBehind(), signal)
  }

  #reloadBehind(): Promise<void> {
    this.#isAhead = false
    if (this.#reload === undefined) {
      return this.#joinReload()
    }
    this.#nextReload ??= this.#reload
      .catch(() => {})
      .then(() => {
        this.#nextReload = undefined
        return this.#joinReload()
      })
    return this.#nextReload
  }

  #joinReload(): Promise<void> {
    this.#reload ??= this.#load().finally(() => {
      this.#reload = undefined
      this.#isAhead = false
    })
    return this.#reload
  }

  /**
  Adopts a filter that came with another answer, so that it need not be loaded.

  @param askedAt when that was requested, by this guard's clock
  @throws {ProtocolError} if it is none
  */
  adopt(message: FilterMessage, headers: Headers, askedAt: number): void {
    // a revalidation that is under way may have begun before the request of the filter: it does not
    // count
    this.#take(loadedFilter(message, headers, askedAt, ++this.#step))
  }

  /** This guard's clock, in milliseconds. */
  now(): number {
    return this.#now()
  }

  /**
  Results whose watch ended before the filter was made are in it, and purged before its statement
  about purges.
  */
  #hasKeptResults(answer: { readonly headers: Headers } | undefined): boolean {
    const watched = seconds(answer?.headers.get('Orestes-Results-Kept'))
    return watched !== undefined && watched * 1000 > this.filterAgeSeconds * 1000 + this.#behind()
  }

  /** A read with a bound shorter than the filter's age at arrival cannot use any filter. */
  #isDue(millis: number): boolean {
    const ahead = this.#nearby ? Math.min(AHEAD_MILLIS, millis / 2) : 0
    return (
      this.filterAgeSeconds * 1000 > millis - ahead && (millis === this.#boundMillis || millis > LAG_MILLIS)
    )
  }

  #isWithinBound(millis = this.#boundMillis): boolean {
    return this.#loaded !== undefined && this.#now() - this.#loaded.askedAt <= millis
  }

  #mustRevalidate(key: string, demand: Demand): boolean {
    const revalidatedAt = this.#revalidatedAt.get(key) ?? 0
    const writtenAt = this.#writes.of(writes(key))?.step ?? 0
    return (
      (demand.consistency !== 'any' && !this.#isKnown(demand)) ||
      writtenAt > revalidatedAt ||
      (revalidatedAt === 0 && this.isStale(key))
    )
  }

  /**
  Returns whether the filter contains all that is stale by the bound, and no required one is under
  way.
  */
  #isKnown(demand: Demand): boolean {
    const isReloading = this.#reload !== undefined && !this.#isAhead
    return !isReloading && this.#isWithinBound(this.#millis(demand))
  }

  #millis({ boundSeconds = Infinity }: Demand): number {
    return Math.min(boundSeconds * 1000, this.#boundMillis)
  }

  async #revalidate(key: string, url: string, init: RequestInit, demand: Demand): Promise<Answer> {
    const began = ++this.#step
    const isCertain = !this.#isInDoubt(key)
    const isFresh = demand.consistency === 'fresh'
    const headers = isFresh ? undefined : this.#demand(key, init, this.#millis(demand))
    const response = await this.#fetch(url, { ...init, ...headers, cache: 'no-cache' })
    if (response.ok) {
      if (isCertain) this.#revalidated(key, began)
      this.#noteKept(key, response)
    }
    const answer = this.#asked(response)
    // not all caches on the way obey the demand
    return { ...answer, isNewest: isFresh || (headers === undefined && answer.ageSeconds === 0) }
  }

  /** Returns an answer that was requested, with its own age. */
  #asked(response: Response): Answer {
    const ageSeconds = seconds(response.headers.get('Age')) ?? 0
    return { response, isUnasked: false, isNewest: true, ageSeconds, boundSeconds: ageSeconds }
  }

  #unasked(response: Response, promised: number): Answer {
    const age = this.#loaded?.serverTime.ageSeconds(response.headers, this.#now()) ?? Infinity
    const ageSeconds = Math.max(age, seconds(response.headers.get('Age')) ?? 0)
    const boundSeconds = Math.min(ageSeconds, promised)
    return { response, isUnasked: true, isNewest: false, ageSeconds, boundSeconds }
  }

  /**
  Returns the maximum age of a copy on the way; undefined where only the newest state is allowed.
  */
  #demand(key: string, init: RequestInit, millis: number): RequestInit | undefined {
    const demand = this.#nearby ? this.#cacheControl(key, millis) : undefined
    if (demand === undefined) {
      return undefined
    }
    const headers = new Headers(init.headers)
    headers.set('Cache-Control', demand)
    return { headers }
  }

  /** A copy of a written key is no older than its write, one of a purged cache may be. */
  #cacheControl(key: string, millis: number): string | undefined {
    const write = this.#writes.of(writes(key))
    if (write === undefined && this.#isPurged(millis)) {
      return 'no-cache, or-purged'
    }
    const sinceWrite = write === undefined ? Infinity : this.#now() - write.at
    const maxAge = Math.floor(Math.min(this.filterAgeSeconds, millis / 1000, sinceWrite / 1000))
    return this.#loaded === undefined || maxAge < 1 ? undefined : `max-age=${maxAge}`
  }

  /**
  Returns whether a write of it may still be done, so that earlier answers prove nothing about later
  ones.
  */
  #isInDoubt(key: string): boolean {
    return (this.#writes.of(writes(key))?.at ?? -Infinity) > this.#now()
  }

  #isPurged(millis: number): boolean {
    const lag = this.#loaded?.purgeLag ?? Infinity
    return lag <= PURGE_LAG_MILLIS && this.filterAgeSeconds * 1000 + lag <= millis
  }

  #isAlive(response: Response): boolean {
    return this.#loaded?.serverTime.covers(response.headers, this.#now()) ?? false
  }

  /** A key that no cache may store needs no request to caches first. */
  #noteKept(key: string, { headers }: Response): void {
    if (isQuery(key)) {
      const kept = isKept(headers)
      ;[key, queriesOf(key)].forEach((each) => {
        this.#kept.delete(each)
        this.#kept.set(each, kept)
      })
      dropOldest(this.#kept)
    }
  }

  /** A filter that was requested since may contain a later change. */
  #revalidated(key: string, began: number): void {
    if (began > (this.#loaded?.began ?? 0)) {
      this.#revalidatedAt.set(key, Math.max(began, this.#revalidatedAt.get(key) ?? 0))
      dropOldest(this.#revalidatedAt)
    }
  }

  #reloadInBackground(): void {
    if (this.#reload === undefined && this.#now() >= this.#retryAt) {
      this.#isAhead = this.#isWithinBound()
      this.#joinReload().catch(this.#onError)
    }
  }

  async #load(): Promise<void> {
    const began = ++this.#step
    const askedAt = this.#now()
    this.#retryAt = askedAt + RETRY_MILLIS
    const carried = this.carrier && (await this.#carried(this.carrier, askedAt, began))
    if (carried !== undefined) {
      this.#take(carried)
      return
    }
    const signal = AbortSignal.timeout(PATIENCE_MILLIS)
    // custom fetch functions need not obey the signal
    const { response, body } = await orAborted(this.#ask(signal), signal)
    if (!response.ok) {
      throw toServerError(response.status, body)
    }
    this.#take(loadedFilter(toFilterMessage(body), response.headers, askedAt, began))
  }

  /** An invalid or late filter is ignored; a request then reports the error. */
  async #carried(carrier: FilterCarrier, askedAt: number, began: number): Promise<LoadedFilter | undefined> {
    const known = this.#loaded
    const signal = AbortSignal.timeout(CARRIER_PATIENCE_MILLIS)
    try {
      const message = await carrier(known?.etag, signal)
      return message === undefined ? undefined : carriedFilter(message, known, askedAt, began)
    } catch {
      return undefined
    }
  }

  async #ask(signal: AbortSignal): Promise<{ response: Response; body: unknown }> {
    const response = await this.#fetch(this.#url, { cache: 'no-cache', signal })
    const body: unknown = await response.json().catch((error: unknown) => {
      if (response.ok) throw error
    })
    return { response, body }
  }

  /** Of two filters that are under way the one that was requested later is used. */
  #take(loaded: LoadedFilter): void {
    if (loaded.askedAt < (this.#loaded?.askedAt ?? -Infinity)) {
      return
    }
    // a filter, and copies of purged caches, may come from before the last writes
    this.#writes.forgetBefore(loaded.askedAt - this.#behind())
    this.#loaded = loaded
    forgetBefore(this.#revalidatedAt, loaded.began)
  }

  /**
  Returns the time before the request of a filter up to which all changes are in it, and in the
  caches that this guard uses.
  */
  #behind(): number {
    return LAG_MILLIS + (this.#nearby ? PURGE_LAG_MILLIS : 0)
  }
}

function dropOldest(map: Map<string, unknown>): void {
  while (map.size > REMEMBERED) map.delete(map.keys().next().value as string)
}

function forgetBefore(steps: Map<string, number>, began: number): void {
  for (const [key, step] of steps) {
    if (step < began) {
      steps.delete(key)
    }
  }
}
