/** Options of a call that continues for others, or has no request of its own. */
export interface AbortOptions {
  /** Ends the call, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
Waits for a promise that continues whether or not this caller does; fails with the signal's reason
as soon as it is aborted.

@param isTooLate whether an abort comes too late to undo the operation: then it is waited for
    nevertheless
*/
export function orAborted<T>(
  done: Promise<T>,
  signal: AbortSignal | undefined,
  isTooLate = () => false,
): Promise<T> {
  if (signal === undefined) {
    return done
  }
  return new Promise((resolve, reject) => {
    const abort = () => {
      if (!isTooLate()) reject(signal.reason as Error)
    }
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    done.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
