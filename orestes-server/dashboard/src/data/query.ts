import type { Client, Filter, Query, Sort } from '@orestes/sdk'
import { filterIn } from './filter'

type Fields = { [field: string]: unknown }

/** What a view asks for. */
interface Asked {
  readonly query: Query<Fields>
  /** Undefined where there is none. */
  readonly filter: Filter<Fields> | undefined
}

/** The query for a view, or why there is none. Ids decide between equals, so that pages never overlap. */
export function queryOf(
  client: Client,
  bucket: string,
  filter: string,
  sort: string,
): Asked | { readonly error: Error } {
  try {
    const found = filterIn(filter)
    const query = client.bucket<Fields>(bucket).find(found).sort(orderOf(sort))
    return { query, filter: filter === '' ? undefined : found }
  } catch (error) {
    return { error: error as Error }
  }
}

/** The order that a text names: a path, with `-` before it from large to small. */
export function orderOf(sort: string): Sort<Fields> {
  const { path, direction } = sortIn(sort)
  return path === '' || path === 'id' ? { id: direction } : { [path]: direction, id: 1 }
}

export function sortIn(sort: string): { readonly path: string; readonly direction: 1 | -1 } {
  return sort.startsWith('-') ? { path: sort.slice(1), direction: -1 } : { path: sort, direction: 1 }
}

/** What a click on a column leads to: ascending, then descending, then the order of ids again, which is that of an empty text. */
export function nextSort(sort: string, path: string): string {
  if (path === 'id') {
    return sort === '' || sort === 'id' ? '-id' : ''
  }
  return sort === path ? `-${path}` : sort === `-${path}` ? '' : path
}
