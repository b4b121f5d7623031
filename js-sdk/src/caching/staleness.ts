import { toFilterMessage, toServerError } from '../wire.js'
import { BloomFilter } from './sketch.js'

export interface StalenessGuardOptions {
  /** Where the Bloom filter is, e.g. `/v1/bloomfilter`. */
  readonly url: string
  /** How old a state may be that a read returns, in seconds. @default 60 */
  readonly boundSeconds?: number
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** Milliseconds since any fixed time; must not jump. @default performance.now */
  readonly now?: () => number
  /** Told when a reload in the background failed. Until one succeeds, every read bypasses caches. */
  readonly onError?: (error: unknown) => void
}

/** How `fetch` has to treat the browser's cache. */
export type CacheMode = 'default' | 'no-cache'

/** Pause after a failed reload, in milliseconds. */
const RETRY_MILLIS = 1000

interface LoadedFilter {
  readonly filter: BloomFilter
  /** When its request was sent: it shows everything that had become stale by then. */
  readonly askedAt: number
}

/**
Keeps reads from the browser's cache within a bound of staleness, with the server's Bloom filter of stale keys (protocol,
section 13.3). A key is revalidated if the filter contains it or this page wrote it since, unless it was revalidated since;
every key is while there is no filter within the bound, which includes the time of a reload.
*/
export class StalenessGuard {
  readonly #url: string
  readonly #boundMillis: number
  readonly #fetch: typeof fetch
  readonly #now: () => number
  readonly #onError: (error: unknown) => void

  /** Orders writes, revalidations and reloads, where a clock could stand still between two of them. */
  #step = 0
  readonly #writtenAt = new Map<string, number>()
  readonly #revalidatedAt = new Map<string, number>()

  #loaded: LoadedFilter | undefined
  #reload: Promise<void> | undefined
  #retryAt = -Infinity

  constructor(options: StalenessGuardOptions) {
    this.#url = options.url
    this.#boundMillis = (options.boundSeconds ?? 60) * 1000
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
    this.#now = options.now ?? (() => performance.now())
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
    if (!this.#isWithinBound()) {
      this.#reloadInBackground()
    }
    return this.#mustRevalidate(key) ? 'no-cache' : 'default'
  }

  /**
  Loads the key's resource within the bound.

  @param key id of an object or file as in the filter, or a {@link queryKey}
  @param url where to get it
  */
  async fetch(key: string, url: string, init: RequestInit = {}): Promise<Response> {
    const cache = this.cacheMode(key)
    const began = ++this.#step
    const response = await this.#fetch(url, { ...init, cache })
    if (cache === 'no-cache' && response.ok) {
      this.#revalidated(key, began)
    }
    return response
  }

  /** Notes a write by this page; to be called when it was answered, or may have happened without an answer. */
  wrote(key: string): void {
    this.#writtenAt.set(key, ++this.#step)
  }

  /**
  Loads the filter, or joins a reload that is under way.

  @throws {ServerError} if the server refused
  */
  reload(): Promise<void> {
    this.#reload ??= this.#load().finally(() => {
      this.#reload = undefined
    })
    return this.#reload
  }

  #isWithinBound(): boolean {
    return this.#loaded !== undefined && this.#now() - this.#loaded.askedAt <= this.#boundMillis
  }

  #mustRevalidate(key: string): boolean {
    if (this.#reload !== undefined || !this.#isWithinBound()) {
      return true
    }
    const revalidatedAt = this.#revalidatedAt.get(key) ?? 0
    const writtenAt = this.#writtenAt.get(key) ?? 0
    return writtenAt > revalidatedAt || (revalidatedAt === 0 && this.isStale(key))
  }

  #revalidated(key: string, began: number): void {
    this.#revalidatedAt.set(key, Math.max(began, this.#revalidatedAt.get(key) ?? 0))
  }

  #reloadInBackground(): void {
    if (this.#reload === undefined && this.#now() >= this.#retryAt) {
      this.reload().catch(this.#onError)
    }
  }

  async #load(): Promise<void> {
    const began = ++this.#step
    const askedAt = this.#now()
    this.#retryAt = askedAt + RETRY_MILLIS
    const filter = await this.#request()
    this.#loaded = { filter, askedAt }
    forgetBefore(this.#writtenAt, began)
    forgetBefore(this.#revalidatedAt, began)
  }

  async #request(): Promise<BloomFilter> {
    const response = await this.#fetch(this.#url, { cache: 'no-cache' })
    if (!response.ok) {
      throw toServerError(response.status, await response.json().catch(() => undefined))
    }
    return new BloomFilter(toFilterMessage(await response.json()))
  }
}

/** What happened before the filter was asked for is in the filter. */
function forgetBefore(steps: Map<string, number>, began: number): void {
  for (const [key, step] of steps) {
    if (step < began) {
      steps.delete(key)
    }
  }
}
