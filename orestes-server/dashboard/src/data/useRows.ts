import type { Query } from '@orestes/sdk'
import { useLive } from '@orestes/sdk/react'
import { useMemo, useSyncExternalStore } from 'react'
import { Rows, type Row, type RowSource } from './rows'

type AnyQuery = Query<{ [field: string]: unknown }>

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
  /** Subscribes again after a failure. */
  readonly retry: () => void
}

/** The first objects of a query, as they are and as they become. */
export function useLiveRows(query: AnyQuery, limit: number): LiveRows {
  const limited = useMemo(() => query.limit(limit), [query, limit])
  const { data, error, isConnected, retry } = useLive(limited)
  return {
    total: data?.length,
    error,
    isConnected,
    retry,
    list: data as readonly Row[] | undefined,
    row: (index) => data?.[index] as Row | undefined,
    indexOf: (id) => {
      const at = data?.findIndex((each) => each.id === id) ?? -1
      return at < 0 ? undefined : at
    },
    show: () => {},
  }
}
