import { useCallback, useEffect, useState } from 'react'
import { keepLoading } from './loading'

/** What was loaded for a page, or why it was not; what was there before stays while it is loaded anew. */
export interface Loaded<T> {
  readonly data: T | undefined
  readonly error: Error | undefined
  readonly reload: () => void
}

/**
Loads something when a component is first shown, and whenever `load` is another function.

@param everyMillis loads again after each answer and this pause, while the page is looked at
*/
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, everyMillis?: number): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: Error; of?: typeof load }>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    return keepLoading({
      load,
      loaded: (data) => setState({ data, of: load }),
      failed: (error) => setState((before) => ({ ...(before.of === load && before), error, of: load })),
      everyMillis,
      isHidden: () => document.hidden,
    })
  }, [load, attempt, everyMillis])
  const { data, error } = state.of === load ? state : {}
  return { data, error, reload: useCallback(() => setAttempt((n) => n + 1), []) }
}
