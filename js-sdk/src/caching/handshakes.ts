import { isRecord } from '../wire.js'
import { LAG_MILLIS } from './loadedFilter.js'

/** For how long one mark of a change stands for all that follow, in milliseconds, so that many of them do not cost one each. */
const MARKED_MILLIS = 1000

/** Headers of a handshake by which the age of copies, and of those in purged caches, is known. */
const HEADERS = ['Date', 'Orestes-Purge-Lag']

/** Where text is kept; `localStorage` of a browser. */
export type HandshakeStore = Pick<Storage, 'getItem' | 'setItem'>

/** A handshake that was made before. */
export interface Kept {
  readonly body: unknown
  readonly headers: Headers
  /** How long ago it was asked for, in milliseconds. */
  readonly ageMillis: number
}

/**
The last handshake of nobody in particular, for the next page. It is of use as long as its filter, which counts from when it was asked for:
within the bound, and unless this browser wrote or was told of something since, which the next page has to see.

Times are of the system's clock, as it is the same for all pages. So a clock that is put back prolongs what is kept, as it does all copies of a browser.
*/
export class Handshakes {
  readonly #store: HandshakeStore | undefined
  readonly #name: string
  readonly #boundMillis: number
  readonly #now: () => number
  #markedUntil = -Infinity

  /** @param base URL of the interface that they are made with */
  constructor(store: HandshakeStore | undefined, base: string, boundMillis: number, now = () => Date.now()) {
    this.#store = store
    this.#name = `orestes handshake ${base}`
    this.#boundMillis = boundMillis
    this.#now = now
  }

  /** The last one, if its filter still tells what this client may not take from caches. */
  last(): Kept | undefined {
    const kept = this.#read()
    const ageMillis = this.#now() - Number(kept?.['askedAt'] ?? NaN)
    const isCurrent = ageMillis >= 0 && ageMillis <= this.#boundMillis
    if (kept === undefined || !isCurrent || Number(kept['askedAt']) < Number(this.#get(this.#mark) ?? NaN)) {
      return undefined
    }
    return { body: kept['body'], headers: new Headers(kept['headers'] as Record<string, string>), ageMillis }
  }

  /** @param ageMillis how long ago it was asked for */
  keep(body: unknown, headers: Headers, ageMillis: number): void {
    const told = HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : []))
    const kept = { askedAt: this.#now() - ageMillis, headers: Object.fromEntries(told), body }
    // its place is taken before, as a store that is full takes no mark any more
    if (this.#set(this.#mark, this.#get(this.#mark) ?? '0'.repeat(13))) {
      this.#set(this.#name, JSON.stringify(kept))
    }
  }

  /**
  Notes that something was written, or is just being, or that its change was told: filters that were asked for until now need not name it.

  @param doubtMillis for how long it may still be done
  */
  changed(doubtMillis = 0): void {
    const wanted = this.#now() + LAG_MILLIS + doubtMillis
    if (this.#store !== undefined && wanted > this.#markedUntil) {
      this.#markedUntil = wanted + MARKED_MILLIS
      this.#set(this.#mark, String(this.#markedUntil))
    }
  }

  get #mark(): string {
    return `${this.#name} since`
  }

  /** What others may have put there is none. */
  #read(): Record<string, unknown> | undefined {
    try {
      const kept: unknown = JSON.parse(this.#get(this.#name) ?? 'null')
      return isRecord(kept) && isRecord(kept['headers']) ? kept : undefined
    } catch {
      return undefined
    }
  }

  #get(name: string): string | null {
    return this.#store?.getItem(name) ?? null
  }

  /** Whether there was room. */
  #set(name: string, text: string): boolean {
    try {
      this.#store?.setItem(name, text)
      return true
    } catch {
      return false
    }
  }
}
