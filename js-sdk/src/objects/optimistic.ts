import { OutOfDateError } from '../errors.js'

/** How often something is tried again that others were faster at. */
export interface RetryOptions {
  /** Attempts in all. @default 10 */
  readonly attempts?: number
  readonly signal?: AbortSignal
}

/** Pause before the second attempt, in milliseconds; it doubles with each one up to {@link MAX_PAUSE_MILLIS}. */
const FIRST_PAUSE_MILLIS = 10

const MAX_PAUSE_MILLIS = 1000

/**
Tries something until nobody else was faster.

@param attempt is told its number from 0
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

/** A random part of a pause that doubles with each attempt: those who collided must not meet again. */
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
