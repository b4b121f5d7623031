import type { Answer } from './demand.js'

/** Where an answer came from: `local` is our own cache, `shared` one on the way or the server's memory, `server` the store. */
export type Source = 'local' | 'shared' | 'server'

/** Answers that a cache of ours gave, where it can say so. */
const LOCAL = new WeakSet<Response>()

/** Marks an answer as one of a local cache. */
export function markLocal(response: Response): Response {
  LOCAL.add(response)
  return response
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
    if (isUnasked && (LOCAL.has(response) || isCopy(response.url, askedAt, seemsCopied))) {
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
  const [entry] = performance.getEntriesByName(url, 'resource').slice(-1) as PerformanceResourceTiming[]
  return entry !== undefined && entry.startTime >= askedAt && entry.encodedBodySize > 0
    ? entry.transferSize === 0
    : seemsCopied
}
