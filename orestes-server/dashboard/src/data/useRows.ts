import type { Query } from '@orestes/sdk'
import { useLive } from '@orestes/sdk/react'
import { useMemo, useSyncExternalStore } from 'react'
import { Rows, type Row, type RowSource } from './rows'

type AnyQuery = Query<{ [field: string]: unknown }>

/** How many objects are followed live: as many as a window of the server has. */
export const LIVE_LIMIT = 500

/** All of a query, loaded as it is looked at. */
export function usePagedRows(query: AnyQuery): Rows {
  const rows = useMemo(() => new Rows(query), [query])
  useSyncExternalStore(rows.subscribe, rows.version)
  return rows
}

/** The first objects of a query. */
export interface LiveRows extends RowSource {
  readonly isConnected: boolean
  /** All of them; undefined until they are known. */
  readonly list: readonly Row[] | undefined
}

/** The first objects of a query, as they are and as they become. */
export function useLiveRows(query: AnyQuery): LiveRows {
  const limited = useMemo(() => query.limit(LIVE_LIMIT), [query])
  const { data, error, isConnected } = useLive(limited)
  return {
    total: data?.length,
    error,
    isConnected,
    list: data as readonly Row[] | undefined,
    row: (index) => data?.[index] as Row | undefined,
    indexOf: (id) => {
      const at = data?.findIndex((each) => each.id === id) ?? -1
      return at < 0 ? undefined : at
    },
    show: () => {},
  }
}
