import type { Answer } from './demand.js'

/**
Origin of data: `local` is the client's own cache, `shared` one on the way or the server's memory,
`server` the store. `live` is a live query.
*/
export type Source = 'local' | 'shared' | 'server' | 'live'

/**
Origin and freshness of data at their arrival.

@example
```ts
const describe = ({ source, age, bound }: Provenance) => `${source}, ${age} s old, at most ${bound} s behind`
show(describe(await todos.find().list()))
```
*/
export interface Provenance {
  readonly source: Source
  /** Time since this was the newest state for certain, in seconds. */
  readonly age: number
  /** Maximum staleness in seconds; 0 for the newest state. */
  readonly bound: number
}

/** Provenance of live events, which are the newest state when they arrive. */
export const TOLD: Provenance = { source: 'live', age: 0, bound: 0 }

/** Whether a local cache gave an answer or forwarded the request, as far as reported. */
const IS_LOCAL = new WeakMap<Response, boolean>()

/** Marks an answer as one that a local cache had, or had to request. */
export function mark(response: Response, isLocal: boolean): Response {
  IS_LOCAL.set(response, isLocal)
  return response
}

/**
Returns whether an answer has crossed the network for certain, and is no copy. Browsers report that
when its body was read, of which this reads a copy, and not for every origin.

@param askedAt when it was requested, by `performance.now`
*/
export async function hasCrossedNetwork(response: Response, askedAt: number): Promise<boolean> {
  const isLocal = IS_LOCAL.get(response)
  if (isLocal !== undefined) {
    return !isLocal
  }
  await response.clone().arrayBuffer()
  return (transferOf(response.url, askedAt)?.transferSize ?? 0) > 0
}

/**
Maximum by which an answer of the network seems to be sent before its request, in seconds: `Date` is
cut to seconds.
*/
const SLACK_SECONDS = 4

/** Number of URLs whose last answer is remembered. */
const REMEMBERED = 10_000

/**
Determines where answers came from. Browsers do not report that of an answer itself. They count what
crossed the network, but not for every origin; otherwise an answer that equals the last one, or was
sent long before its request, counts as a copy.
*/
export class Sources {
  readonly #last = new Map<string, string>()

  /**
  To be called when the body was read.

  @param askedAt when it was requested, by `performance.now`
  */
  of(url: string, { response, isUnasked, ageSeconds }: Answer, askedAt: number): Source {
    const { headers } = response
    const age = Number(headers.get('Age') ?? 0)
    const isKnown = this.#isKnown(url, [headers.get('Date'), age, headers.get('ETag')].join())
    const seemsCopied = isKnown || ageSeconds - age > SLACK_SECONDS
    if (isUnasked && (IS_LOCAL.get(response) ?? isCopy(response.url, askedAt, seemsCopied))) {
      return 'local'
    }
    return age > 0 || headers.get('Orestes-Cache') === 'hit' ? 'shared' : 'server'
  }

  #isKnown(url: string, answer: string): boolean {
    const isKnown = this.#last.get(url) === answer
    this.#last.delete(url)
    this.#last.set(url, answer)
    if (this.#last.size > REMEMBERED) {
      this.#last.delete(this.#last.keys().next().value as string)
    }
    return isKnown
  }
}

function isCopy(url: string, askedAt: number, seemsCopied: boolean): boolean {
  const transfer = transferOf(url, askedAt)
  return transfer ? transfer.transferSize === 0 : seemsCopied
}

/**
Returns a browser's measurement of the last answer, if it was not requested before and is
accessible.
*/
function transferOf(url: string, askedAt: number): PerformanceResourceTiming | undefined {
  const [entry] = performance.getEntriesByName(url, 'resource').slice(-1) as PerformanceResourceTiming[]
  return entry !== undefined && entry.startTime >= askedAt && entry.encodedBodySize > 0 ? entry : undefined
}
