import { OutOfDateError } from '../errors.js'

/** Options of a repetition after conflicts with other writes. */
export interface RetryOptions {
  /** Maximum number of attempts. @default 10 */
  readonly attempts?: number
  readonly signal?: AbortSignal
}

/** Pause before the second attempt, in milliseconds; it doubles with each one up to {@link MAX_PAUSE_MILLIS}. */
const FIRST_PAUSE_MILLIS = 10

const MAX_PAUSE_MILLIS = 1000

/**
Repeats an attempt while it conflicts with other writes.

@param attempt receives its number from 0
@param pause waits for some milliseconds, or fails with the signal's reason
@throws {OutOfDateError} the last attempt's
*/
export async function retried<T>(
  attempt: (number: number) => Promise<T>,
  { attempts = 10, signal }: RetryOptions,
  pause = sleep,
): Promise<T> {
  for (let number = 0; ; number++) {
    try {
      return await attempt(number)
    } catch (error) {
      if (!(error instanceof OutOfDateError) || number + 1 >= attempts) {
        throw error
      }
    }
    await pause(jitter(FIRST_PAUSE_MILLIS, MAX_PAUSE_MILLIS, number), signal)
  }
}

/**
Returns a random part of a pause that doubles with each attempt, so that colliding clients separate.
*/
export function jitter(first: number, max: number, attempt: number): number {
  return Math.random() * Math.min(max, first * 2 ** attempt)
}

/** Waits, or fails with the signal's reason. */
export function sleep(millis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, millis)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
