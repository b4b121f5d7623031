/**
How much earlier than its moment the filter's `Date` may be, in milliseconds: it is cut to seconds, the server makes one for all
answers of a second, and for another second shared caches may keep the filter.
*/
const SLACK_MILLIS = 3000

/**
The server's time, as far as one answer of it tells: at a moment of ours that was not later than the answer it said `date`.
Both `Date` headers that are compared are the server's, so our own clock may be wrong by any amount.
*/
export class ServerTime {
  readonly #date: number
  readonly #askedAt: number

  /** @param askedAt when the answer was asked for, on the clock of {@link covers}, in milliseconds */
  constructor(headers: Headers, askedAt: number) {
    this.#date = Date.parse(headers.get('Date') ?? '')
    this.#askedAt = askedAt
  }

  /** How long ago the server sent an answer with these headers, in seconds; a little more than that rather than less. */
  ageSeconds(headers: Headers, now: number): number {
    const age = this.#date + now - this.#askedAt - Date.parse(headers.get('Date') ?? '')
    return Number.isNaN(age) ? Infinity : Math.max(0, age / 1000) + 1
  }

  /**
  Whether a cached answer with these headers is certainly within the life that the server gave it. One that seems to come from
  the future is from before the server's clock was set back, and of unknown age.
  */
  covers(headers: Headers, now: number): boolean {
    const latest = this.#date + SLACK_MILLIS + now - this.#askedAt
    const age = latest - Date.parse(headers.get('Date') ?? '')
    return age >= 0 && age <= lifeSeconds(headers) * 1000
  }
}

/** Whether the server lets caches hold an answer with these headers at all. */
export function isKept(headers: Headers): boolean {
  return lifeSeconds(headers) > 0
}

/** For how long the server lets any cache hold an answer; the filter knows its key at least as long. */
function lifeSeconds(headers: Headers): number {
  const bound = headers.get('Orestes-Bound') ?? ''
  const isKept = !/no-cache|no-store/i.test(headers.get('Cache-Control') ?? 'no-store')
  return isKept && /^\d{1,9}$/.test(bound) ? Number(bound) : -1
}
