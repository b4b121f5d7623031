import { steadyClock } from '../clock.js'
import { toFilterMessage, toServerError } from '../wire.js'
import { ServerTime } from './freshness.js'
import { BloomFilter } from './sketch.js'

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

/** Pause after a failed reload, in milliseconds. */
const RETRY_MILLIS = 1000

/** How old a filter may be when it arrives, in milliseconds: shared caches keep one for all clients that long. */
const LAG_MILLIS = 1000

/**
How far purged caches may be behind the filter for their copies to be taken, in milliseconds: they are purged twice, a second apart.
*/
const PURGE_LAG_MILLIS = 2000

/** How long before the filter is too old, in milliseconds, the next one is loaded: purges may be that far behind, and loading takes time. */
const AHEAD_MILLIS = PURGE_LAG_MILLIS + 1000

interface LoadedFilter {
  readonly filter: BloomFilter
  /** When its request was sent: it shows everything that had become stale by then. */
  readonly askedAt: number
  /** The step when it was sent. */
  readonly began: number
  readonly serverTime: ServerTime
  /** What purged caches hold was current at most that long before the filter was, in milliseconds; infinite if nobody knows. */
  readonly purgeLag: number
}

interface Write {
  readonly step: number
  readonly at: number
}

/**
Keeps reads from the browser's cache within a bound of staleness, with the server's Bloom filter of stale keys (protocol,
section 13.3). A key is revalidated if the filter contains it or this page wrote it since, unless it was revalidated since;
every key is while there is no filter within the bound, or one is being loaded, unless that happens ahead of time. A write
by this page concerns all queries of its class, but for one of which the server says that it changed no result.

Query results tell browsers not to use them without asking, for the sake of clients that look up no filter. This one does, so it
takes them from the browser's cache as long as the server lets other caches hold them.
*/
export class StalenessGuard {
  readonly #url: string
  readonly #boundMillis: number
  readonly #nearby: boolean
  readonly #fetch: typeof fetch
  readonly #now: () => number
  readonly #onError: (error: unknown) => void

  /** Orders writes, revalidations and reloads, where a clock could stand still between two of them. */
  #step = 0
  readonly #writes = new Map<string, Write>()
  readonly #revalidatedAt = new Map<string, number>()

  #loaded: LoadedFilter | undefined
  #reload: Promise<void> | undefined
  /** Whether the filter will do until the reload that is under way has ended. */
  #isAhead = false
  #retryAt = -Infinity

  constructor(options: StalenessGuardOptions) {
    this.#url = options.url
    this.#boundMillis = (options.boundSeconds ?? 60) * 1000
    this.#nearby = options.nearby ?? false
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
    this.#now = options.now ?? steadyClock()
    this.#onError = options.onError ?? (() => {})
  }

  /** Age of the filter in seconds; infinite if there is none. */
  get filterAgeSeconds(): number {
    return this.#loaded ? (this.#now() - this.#loaded.askedAt) / 1000 : Infinity
  }

  /** Whether the filter calls the key stale; false if there is none. */
  isStale(key: string): boolean {
    return this.#loaded?.filter.contains(key) ?? false
  }

  /** How to fetch the key now. Starts a reload in the background when the filter is older than the bound. */
  cacheMode(key: string): CacheMode {
    if (this.#isDue()) {
      this.#reloadInBackground()
    }
    if (this.#mustRevalidate(key)) {
      return 'no-cache'
    }
    return isQuery(key) ? 'force-cache' : 'default'
  }

  /**
  Loads the key's resource within the bound.

  @param key id of an object or file as in the filter, or a {@link queryKey}
  @param url where to get it; always the same one for a key, as shared caches keep a copy for each
  */
  async fetch(key: string, url: string, init: RequestInit = {}): Promise<Response> {
    const cache = this.cacheMode(key)
    if (cache === 'no-cache') {
      return this.#revalidate(key, url, init)
    }
    const response = await this.#fetch(url, { ...init, cache })
    if (cache === 'default' || this.#isAlive(response)) {
      return response
    }
    await response.body?.cancel()
    return this.#revalidate(key, url, init)
  }

  /**
  Notes a write by this page; to be called when it was answered, or may have happened without an answer.

  @param answer the server's, if there is one: it may say that query results did not change
  */
  wrote(key: string, answer?: { readonly headers: Headers }): void {
    const write = { step: ++this.#step, at: this.#now() }
    this.#writes.set(key, write)
    if (!this.#hasKeptResults(answer)) {
      this.#writes.set(queriesOf(key), write)
    }
  }

  /**
  Loads the filter, or joins a reload that is under way.

  @throws {ServerError} if the server refused
  */
  reload(): Promise<void> {
    this.#isAhead = false
    return this.#joinReload()
  }

  #joinReload(): Promise<void> {
    this.#reload ??= this.#load().finally(() => {
      this.#reload = undefined
      this.#isAhead = false
    })
    return this.#reload
  }

  /** Results that were left without a watch before the filter was made are in it, and purged before what it says of purges. */
  #hasKeptResults(answer: { readonly headers: Headers } | undefined): boolean {
    const watched = seconds(answer?.headers.get('Orestes-Results-Kept'))
    return watched !== undefined && watched * 1000 > this.filterAgeSeconds * 1000 + this.#behind()
  }

  #isDue(): boolean {
    const ahead = this.#nearby ? Math.min(AHEAD_MILLIS, this.#boundMillis / 2) : 0
    return this.filterAgeSeconds * 1000 > this.#boundMillis - ahead
  }

  #isWithinBound(): boolean {
    return this.#loaded !== undefined && this.#now() - this.#loaded.askedAt <= this.#boundMillis
  }

  #mustRevalidate(key: string): boolean {
    if ((this.#reload !== undefined && !this.#isAhead) || !this.#isWithinBound()) {
      return true
    }
    const revalidatedAt = this.#revalidatedAt.get(key) ?? 0
    const writtenAt = this.#writes.get(writes(key))?.step ?? 0
    return writtenAt > revalidatedAt || (revalidatedAt === 0 && this.isStale(key))
  }

  async #revalidate(key: string, url: string, init: RequestInit): Promise<Response> {
    const began = ++this.#step
    const response = await this.#fetch(url, { ...init, ...this.#demand(key, init), cache: 'no-cache' })
    if (response.ok) {
      this.#revalidated(key, began)
    }
    return response
  }

  /** How old a copy on the way may be; nothing where only the newest state will do. */
  #demand(key: string, init: RequestInit): RequestInit {
    const demand = this.#nearby ? this.#cacheControl(key) : undefined
    if (demand === undefined) {
      return {}
    }
    const headers = new Headers(init.headers)
    headers.set('Cache-Control', demand)
    return { headers }
  }

  /** What was written is not older than its write, what a purged cache holds may be. */
  #cacheControl(key: string): string | undefined {
    const write = this.#writes.get(writes(key))
    if (write === undefined && this.#isPurged()) {
      return 'no-cache, or-purged'
    }
    const sinceWrite = write === undefined ? Infinity : this.#now() - write.at
    const seconds = Math.floor(Math.min(this.filterAgeSeconds, this.#boundMillis / 1000, sinceWrite / 1000))
    return this.#loaded === undefined || seconds < 1 ? undefined : `max-age=${seconds}`
  }

  #isPurged(): boolean {
    const lag = this.#loaded?.purgeLag ?? Infinity
    return lag <= PURGE_LAG_MILLIS && this.filterAgeSeconds * 1000 + lag <= this.#boundMillis
  }

  #isAlive(response: Response): boolean {
    return this.#loaded?.serverTime.covers(response.headers, this.#now()) ?? false
  }

  /** A filter that was asked for since may know of a later change. */
  #revalidated(key: string, began: number): void {
    if (began > (this.#loaded?.began ?? 0)) {
      this.#revalidatedAt.set(key, Math.max(began, this.#revalidatedAt.get(key) ?? 0))
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
    const answer = await this.#request(askedAt)
    this.#forgetWrites(askedAt)
    this.#loaded = { ...answer, askedAt, began }
    forgetBefore(this.#revalidatedAt, began)
  }

  /** A filter, and what purged caches hold, may come from before the last writes. */
  #forgetWrites(askedAt: number): void {
    for (const [key, write] of this.#writes) {
      if (write.at < askedAt - this.#behind()) {
        this.#writes.delete(key)
      }
    }
  }

  /** From how long before a filter was asked for everything is known by it, and by the caches that this guard listens to. */
  #behind(): number {
    return LAG_MILLIS + (this.#nearby ? PURGE_LAG_MILLIS : 0)
  }

  async #request(askedAt: number): Promise<Pick<LoadedFilter, 'filter' | 'serverTime' | 'purgeLag'>> {
    const response = await this.#fetch(this.#url, { cache: 'no-cache' })
    if (!response.ok) {
      throw toServerError(response.status, await response.json().catch(() => undefined))
    }
    const filter = new BloomFilter(toFilterMessage(await response.json()))
    return {
      filter,
      serverTime: new ServerTime(response.headers, askedAt),
      purgeLag: purgeLag(response.headers),
    }
  }
}

function purgeLag(headers: Headers): number {
  return (seconds(headers.get('Orestes-Purge-Lag')) ?? Infinity) * 1000
}

/** What a header says that is a whole number of seconds, and nothing else. */
function seconds(text: string | null | undefined): number | undefined {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined
}

function isQuery(key: string): boolean {
  return key.includes('/query?')
}

/** Under what writes that concern the key are noted. */
function writes(key: string): string {
  return isQuery(key) ? queriesOf(key) : key
}

/** What stands for all queries of the class that an object or a query belongs to. */
function queriesOf(key: string): string {
  return key.split('/', 3).join('/')
}

function forgetBefore(steps: Map<string, number>, began: number): void {
  for (const [key, step] of steps) {
    if (step < began) {
      steps.delete(key)
    }
  }
}
