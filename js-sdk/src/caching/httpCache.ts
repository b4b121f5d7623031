import { steadyClock } from '../clock.js'
import { seconds } from './loadedFilter.js'
import { mark } from './source.js'

/**
An answer as a cache stores it; can be expressed in JSON.

@example
```ts
const kept = new Map<string, string>() // or anything else that holds text
const store: ResponseStore = {
  get: (url) => JSON.parse(kept.get(url) ?? 'null') as StoredResponse | undefined,
  set: (url, response) => void kept.set(url, JSON.stringify(response)),
  delete: (url) => void kept.delete(url),
}
const db = await connect('http://127.0.0.1:8080', { fetch: cachingFetch({ store }) })
```
*/
export interface StoredResponse {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /**
  The header `Authorization` of its request, if the answer is only for requests with an equal one;
  absent if it is for everybody.
  */
  readonly authorization?: string
  /** When it was requested, in milliseconds since 1970. */
  readonly askedAt: number
}

/**
Store of answers, by URL. Anything of this form is suitable: a map, a file, a database that only
this process writes.
*/
export interface ResponseStore {
  get(url: string): StoredResponse | undefined | Promise<StoredResponse | undefined>
  set(url: string, response: StoredResponse): void | Promise<void>
  delete(url: string): void | Promise<void>
}

/**
Stores answers in memory, the most recently used ones.

@param maxChars maximum size of all with their URLs and headers, in characters

@example
```ts
const store = memoryStore(5_000_000)
```
*/
export function memoryStore(maxChars = 20_000_000): ResponseStore {
  const entries = new Map<string, StoredResponse>()
  let chars = 0
  const remove = (url: string) => {
    const known = entries.get(url)
    if (known) chars -= sizeOf(url, known)
    entries.delete(url)
  }
  const add = (url: string, response: StoredResponse) => {
    remove(url)
    entries.set(url, response)
    chars += sizeOf(url, response)
  }
  return {
    get: (url) => {
      const found = entries.get(url)
      if (found) add(url, found)
      return found
    },
    set: (url, response) => {
      add(url, response)
      while (chars > maxChars) remove(entries.keys().next().value as string)
    },
    delete: remove,
  }
}

function sizeOf(url: string, { headers, body }: StoredResponse): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, url.length + body.length)
}

/** A request that is not answered yet. */
interface Flight {
  isOvertaken: boolean
}

/** Options of {@link cachingFetch}. */
export interface CachingFetchOptions {
  /** @default memoryStore() */
  readonly store?: ResponseStore
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** Milliseconds since 1970; must not go back. */
  readonly now?: () => number
}

/**
Returns a `fetch` with a private cache (RFC 9111), for environments without one, such as Node: it
supports `cache` as browsers do. Answers for one user are given to no other, so several clients may
share one.

@example
```ts
import { connect } from '@orestes/sdk'
import { cachingFetch } from '@orestes/sdk/cache'

const db = await connect('http://127.0.0.1:8080', { fetch: cachingFetch() })
```
*/
export function cachingFetch(options: CachingFetchOptions = {}): typeof fetch {
  const { store = memoryStore(), now = wallClock() } = options
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const underWay = new Map<string, Set<Flight>>()
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    if (input instanceof Request || !isCacheable(init)) {
      const response = await send(input, init)
      if (changes(init.method) && response.ok) {
        overtake(url)
        await store.delete(url)
      }
      return response
    }
    const headers = new Headers(init.headers)
    const found = await store.get(url)
    const copy = found && isFor(found, headers) ? found : undefined
    if (copy && mayAnswer(copy, init.cache, now())) {
      return mark(toResponse(copy), true)
    }
    const flight = { isOvertaken: false }
    const flights = underWay.get(url) ?? new Set()
    underWay.set(url, flights.add(flight))
    try {
      return mark(await ask(copy, url, init, headers, flight), false)
    } finally {
      flights.delete(flight)
      if (flights.size === 0) underWay.delete(url)
    }
  }

  /**
  An earlier request must not replace a later state: marks all requests under way, or those before
  one, as overtaken.
  */
  function overtake(url: string, by?: Flight): void {
    for (const flight of underWay.get(url) ?? []) {
      if (flight === by) return
      flight.isOvertaken = true
    }
  }

  async function keep(url: string, stored: StoredResponse, flight: Flight): Promise<void> {
    const known = await store.get(url)
    if (!flight.isOvertaken && (known === undefined || known.askedAt <= stored.askedAt)) {
      overtake(url, flight)
      await store.set(url, stored)
    }
  }

  async function ask(
    copy: StoredResponse | undefined,
    url: string,
    init: RequestInit,
    headers: Headers,
    flight: Flight,
  ): Promise<Response> {
    const askedAt = now()
    const etag = copy && new Headers(copy.headers as [string, string][]).get('ETag')
    if (etag) headers.set('If-None-Match', etag)
    if (init.cache === 'no-cache' && !headers.has('Cache-Control')) headers.set('Cache-Control', 'no-cache')
    // the one mode that adds no demand of its own for the newest state, which caches on the way
    // would obey
    const response = await send(url, { ...init, headers, cache: 'force-cache' })
    if (response.status === 304 && copy) {
      const confirmed = { ...copy, headers: merged(copy.headers, response.headers), askedAt }
      await keep(url, confirmed, flight)
      return toResponse(confirmed)
    }
    if (!isStorable(response)) {
      overtake(url, flight)
      await store.delete(url)
      return response
    }
    const stored = await toStored(response, headers, askedAt)
    await keep(url, stored, flight)
    return toResponse(stored)
  }
}

/** Returns a clock that starts at the time of day, and is not set back with it. */
function wallClock(): () => number {
  const start = Date.now()
  const elapsed = steadyClock()
  return () => start + elapsed()
}

function isCacheable({ method = 'GET', cache = 'default' }: RequestInit): boolean {
  return method === 'GET' && ['default', 'no-cache', 'force-cache'].includes(cache)
}

function changes(method = 'GET'): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method)
}

function isFor({ authorization }: StoredResponse, headers: Headers): boolean {
  return authorization === undefined || authorization === (headers.get('Authorization') ?? '')
}

function mayAnswer(copy: StoredResponse, mode: RequestCache = 'default', now: number): boolean {
  const headers = new Headers(copy.headers as [string, string][])
  const control = headers.get('Cache-Control') ?? ''
  const age = (seconds(headers.get('Age')) ?? 0) + (now - copy.askedAt) / 1000
  const maxAge = seconds(/(?:^|[\s,])max-age=(\d+)/i.exec(control)?.[1]) ?? 0
  const isFresh = !/no-cache/i.test(control) && now >= copy.askedAt && age < maxAge
  return mode === 'force-cache' || (mode === 'default' && isFresh)
}

/**
Headers by which answers may differ although they are stored under one URL: those of this client are
constant, or compared.
*/
const KNOWN_VARIANTS = ['', 'origin', 'accept', 'accept-encoding', 'authorization', 'orestes-consistency']

function isStorable({ status, headers }: Response): boolean {
  return (
    status === 200 &&
    !/no-store/i.test(headers.get('Cache-Control') ?? 'no-store') &&
    variants(headers).every((each) => KNOWN_VARIANTS.includes(each))
  )
}

function variants(headers: Headers): string[] {
  return (headers.get('Vary') ?? '').split(',').map((each) => each.trim().toLowerCase())
}

async function toStored(response: Response, sent: Headers, askedAt: number): Promise<StoredResponse> {
  const { headers } = response
  const isPublic =
    /public/i.test(headers.get('Cache-Control') ?? '') && !variants(headers).includes('authorization')
  return {
    headers: merged([], headers),
    body: await response.text(),
    ...(!isPublic && { authorization: sent.get('Authorization') ?? '' }),
    askedAt,
  }
}

/** The stored body is not encoded any more. A token is for the answer that brought it. */
const DROPPED = [
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'baqend-authorization-token',
  'set-cookie',
]

function merged(known: StoredResponse['headers'], fresh: Headers): StoredResponse['headers'] {
  const headers = new Headers(known as [string, string][])
  fresh.forEach((value, name) => headers.set(name, value))
  DROPPED.forEach((name) => headers.delete(name))
  return [...headers.entries()]
}

function toResponse({ headers, body }: StoredResponse): Response {
  return new Response(body, { headers: headers as [string, string][] })
}
