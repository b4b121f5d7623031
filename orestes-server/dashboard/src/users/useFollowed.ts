import type { Query, Stored } from '@orestes/sdk'
import { useCallback, useEffect, useState } from 'react'

/** A live result, or why there is none or no newer one. */
export interface Followed<T> {
  readonly data: readonly Stored<T>[] | undefined
  readonly error: Error | undefined
  /** Subscribes again after a failure. */
  readonly retry: () => void
}

/** Follows a query for as long as it is the same object; what was there stays when it fails. */
export function useFollowed<T extends object>(query: Query<T> | undefined): Followed<T> {
  const [state, setState] = useState<{
    readonly of?: Query<T>
    readonly data?: readonly Stored<T>[]
    readonly error?: Error
  }>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (query === undefined) return
    return query.live().subscribe({
      next: ({ data }) => setState({ of: query, data }),
      error: (error) => setState((before) => ({ ...(before.of === query && before), of: query, error })),
    })
  }, [query, attempt])
  const { data, error } = state.of === query ? state : {}
  return { data, error, retry: useCallback(() => setAttempt((n) => n + 1), []) }
}
