/** Reads within a bound of staleness, and notes for each read where it came from and what it cost. */
import { BASE, json } from './api.js'
import { StalenessGuard } from '/sdk/index.js'
import { announce, measure, origin } from './timing.js'

const FILTER = `${BASE}/bloomfilter`

export class Reader {
  #guard
  #boundSeconds
  /** The server's time at a moment of ours, as the newest answer from it tells. Whole seconds. */
  #clock

  constructor(boundSeconds) {
    this.boundSeconds = boundSeconds
  }

  get boundSeconds() {
    return this.#boundSeconds
  }

  /** Begins with a new filter: one that was fresh enough for the old bound may be too old for the new one. */
  set boundSeconds(seconds) {
    this.#boundSeconds = seconds
    this.#guard = new StalenessGuard({
      url: FILTER,
      boundSeconds: seconds,
      fetch: (...call) => this.#fetch(...call),
    })
  }

  get filterAgeSeconds() {
    return this.#guard.filterAgeSeconds
  }

  /** Whether a read now would need a new filter first; a little early, so that it does not expire half-way. */
  get needsFilter() {
    return this.filterAgeSeconds > this.#boundSeconds - Math.min(0.5, this.#boundSeconds / 4)
  }

  /** Loads the filter. */
  async loadFilter() {
    let headers
    this.#headersOf = (received) => (headers = received)
    const { entry } = await measure(FILTER, () => this.#guard.reload())
    const from = origin(entry, headers) === 'unchanged' ? 'unchanged' : 'server'
    return { ...cost(entry), resource: '/bloomfilter', from, ageSeconds: 0, isCurrent: true }
  }

  /** Reads an object, from the browser's cache unless it may be out of date. */
  async readObject(id) {
    const isNamed = this.#guard.isStale(id)
    const reading = await this.#read(id, () => this.#guard.fetch(id, BASE + id))
    return { ...reading, isNamed }
  }

  /** Reads a query result, likewise; the guard asks twice if the browser's copy has outlived what the filter knows. */
  readQuery(key) {
    return this.#read(key, () => this.#guard.fetch(key, BASE + key))
  }

  /** Reads the newest state, past all caches. */
  async readNewest(id) {
    return json(await this.#fetch(BASE + id, { cache: 'no-cache' }))
  }

  /** Notes a write of ours: the next read sees it. */
  wrote(id) {
    this.#guard.wrote(id)
  }

  async #read(resource, request) {
    const { result, entry } = await measure(BASE + resource, async () => {
      const response = await request()
      return { headers: response.headers, value: await json(response) }
    })
    const from = origin(entry, result.headers)
    const isCurrent = from !== 'browser'
    return {
      ...cost(entry),
      resource,
      from,
      isCurrent,
      ageSeconds: this.#age(result.headers),
      value: result.value,
    }
  }

  #headersOf = () => {}

  async #fetch(url, init) {
    announce(url)
    const response = await fetch(url, init)
    if (url === FILTER) {
      this.#clock = { server: Date.parse(response.headers.get('Date')), local: performance.now() }
      this.#headersOf(response.headers)
    }
    return response
  }

  /** Seconds since the server sent this, by the server's clock alone. */
  #age(headers) {
    const now = this.#clock.server + performance.now() - this.#clock.local
    return Math.max(0, Math.floor((now - Date.parse(headers.get('Date'))) / 1000))
  }
}

function cost(entry) {
  return { millis: entry?.duration, bytes: entry?.transferSize }
}
