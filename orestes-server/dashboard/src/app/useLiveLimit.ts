import { useCallback } from 'react'
import { loadLimit } from '../server/limit'
import { useAdmin } from './session'
import { useLoaded, type Loaded } from './useLoaded'

/** How many objects a live query may have. The server tells admins only, whoever the data is seen as. */
export function useLiveLimit(): Loaded<number> {
  const { ownClient } = useAdmin()
  return useLoaded(useCallback((signal: AbortSignal) => loadLimit(ownClient, signal), [ownClient]))
}
