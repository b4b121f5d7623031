import { isRecord } from '../wire.js'
import { LAG_MILLIS } from './loadedFilter.js'

/**
Time for which one mark of a change covers all that follow, in milliseconds, so that not every
change costs a mark.
*/
const MARKED_MILLIS = 1000

/** Headers of a handshake that give the age of copies, and of those in purged caches. */
const HEADERS = ['Date', 'Orestes-Purge-Lag']

/** Store of text, such as `localStorage` of a browser. */
export type HandshakeStore = Pick<Storage, 'getItem' | 'setItem'>

/** A handshake of an earlier page. */
export interface Kept {
  readonly body: unknown
  readonly headers: Headers
  /** Age of its request, in milliseconds. */
  readonly ageMillis: number
}

/**
The last anonymous handshake, for the next page. It is usable as long as its filter, which counts
from its request: within the bound, and unless this browser wrote or was notified of something
since, which the next page has to see.

Times are of the system's clock, as it is the same for all pages. So a clock that is set back
prolongs the use of the handshake, as it does for all copies of a browser.
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

  /**
  Returns the last one, if its filter still contains all that this client may not use from caches.
  */
  last(): Kept | undefined {
    const kept = this.#read()
    const ageMillis = this.#now() - Number(kept?.['askedAt'] ?? NaN)
    const isCurrent = ageMillis >= 0 && ageMillis <= this.#boundMillis
    if (kept === undefined || !isCurrent || Number(kept['askedAt']) < Number(this.#get(this.#mark) ?? NaN)) {
      return undefined
    }
    return { body: kept['body'], headers: new Headers(kept['headers'] as Record<string, string>), ageMillis }
  }

  /** @param ageMillis time since its request */
  keep(body: unknown, headers: Headers, ageMillis: number): void {
    const told = HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : []))
    const kept = { askedAt: this.#now() - ageMillis, headers: Object.fromEntries(told), body }
    // its space is reserved before, as a full store accepts no mark any more
    if (this.#set(this.#mark, this.#get(this.#mark) ?? '0'.repeat(13))) {
      this.#set(this.#name, JSON.stringify(kept))
    }
  }

  /**
  Records that something is or was written, or a notification of a change: filters that were
  requested until now need not contain it.

  @param doubtMillis time for which it may still be done
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

  /** Content of other programs is ignored. */
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

  /** Returns whether there was room. */
  #set(name: string, text: string): boolean {
    try {
      this.#store?.setItem(name, text)
      return true
    } catch {
      return false
    }
  }
}
