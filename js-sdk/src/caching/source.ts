import type { Answer } from './demand.js'

/**
Where data came from: `local` is our own cache, `shared` one on the way or the server's memory, `server` the store. `live` is what a live
query tells.
*/
export type Source = 'local' | 'shared' | 'server' | 'live'

/**
Where data came from, and how new they were when they arrived.

@example
```ts
const describe = ({ source, age, bound }: Provenance) => `${source}, ${age} s old, at most ${bound} s behind`
show(describe(await todos.find().list()))
```
*/
export interface Provenance {
  readonly source: Source
  /** How long ago this was the newest state for certain, in seconds. */
  readonly age: number
  /** How far this is behind the newest state at most, in seconds; 0 for what the server says now. */
  readonly bound: number
}

/** What the server tells by itself is the newest state when it comes. */
export const TOLD: Provenance = { source: 'live', age: 0, bound: 0 }

/** Whether a cache of ours gave an answer, or one to whom it passed the question; where it says so. */
const IS_LOCAL = new WeakMap<Response, boolean>()

/** Marks an answer as one that a local cache had, or had to ask for. */
export function mark(response: Response, isLocal: boolean): Response {
  IS_LOCAL.set(response, isLocal)
  return response
}

/**
Whether an answer has crossed the network for certain, and is no copy. Browsers say so when its body was read, of which this reads a copy,
and not for every origin.

@param askedAt when it was asked for, by `performance.now`
*/
export async function hasCrossedNetwork(response: Response, askedAt: number): Promise<boolean> {
  const isLocal = IS_LOCAL.get(response)
  if (isLocal !== undefined) {
    return !isLocal
  }
  await response.clone().arrayBuffer()
  return (transferOf(response.url, askedAt)?.transferSize ?? 0) > 0
}

/** How much earlier than we asked an answer of the network seems to be sent at most, in seconds: `Date` is cut to seconds. */
const SLACK_SECONDS = 4

/** Of how many URLs the last answer is remembered. */
const REMEMBERED = 10_000

/**
Tells where answers came from. Browsers do not say it of an answer itself. They count what crossed the network, but not for every
origin; else an answer that is the last one once more, or was sent long before it was asked for, is taken for a copy.
*/
export class Sources {
  readonly #last = new Map<string, string>()

  /**
  To be called when the body was read.

  @param askedAt when it was asked for, by `performance.now`
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

/** What a browser counted of the last answer, if it was not asked for before and may be told. */
function transferOf(url: string, askedAt: number): PerformanceResourceTiming | undefined {
  const [entry] = performance.getEntriesByName(url, 'resource').slice(-1) as PerformanceResourceTiming[]
  return entry !== undefined && entry.startTime >= askedAt && entry.encodedBodySize > 0 ? entry : undefined
}
