/**
Maximum by which the filter's `Date` precedes its moment, in milliseconds: it is cut to seconds, the
server creates one for all answers of a second, and shared caches may cache the filter for another
second.
*/
const SLACK_MILLIS = 3000

/**
The server's time by one answer: at a local moment not later than the answer it said `date`. Both
`Date` headers that are compared are the server's, so the local clock may be wrong by any amount.
*/
export class ServerTime {
  readonly #date: number
  readonly #askedAt: number

  /**
  @param askedAt when the answer was requested, on the clock of {@link covers}, in milliseconds
  */
  constructor(headers: Headers, askedAt: number) {
    this.#date = Date.parse(headers.get('Date') ?? '')
    this.#askedAt = askedAt
  }

  /**
  Returns how long ago the server sent an answer with these headers, in seconds; rather too large
  than too small.
  */
  ageSeconds(headers: Headers, now: number): number {
    const age = this.#date + now - this.#askedAt - Date.parse(headers.get('Date') ?? '')
    return Number.isNaN(age) ? Infinity : Math.max(0, age / 1000) + 1
  }

  /**
  Returns whether a cached answer with these headers is certainly within its time to live. An answer
  from the future is from before the server's clock was set back, and of unknown age.
  */
  covers(headers: Headers, now: number): boolean {
    const latest = this.#date + SLACK_MILLIS + now - this.#askedAt
    const age = latest - Date.parse(headers.get('Date') ?? '')
    return age >= 0 && age <= lifeSeconds(headers) * 1000
  }
}

/** Returns whether the server lets caches store an answer with these headers at all. */
export function isKept(headers: Headers): boolean {
  return lifeSeconds(headers) > 0
}

/**
Returns the maximum time to live of an answer in any cache; the filter contains its key at least as
long.
*/
function lifeSeconds(headers: Headers): number {
  const bound = headers.get('Orestes-Bound') ?? ''
  const isKept = !/no-cache|no-store/i.test(headers.get('Cache-Control') ?? 'no-store')
  return isKept && /^\d{1,9}$/.test(bound) ? Number(bound) : -1
}
