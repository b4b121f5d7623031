import type { Result } from '../session.js'
import type { Stored } from '../wire.js'
import type { Filter } from './filter.js'
import type { ListOptions, Query } from './query.js'

type Values = { readonly [path: string]: unknown }
type Condition = { readonly [path: string]: unknown }

/**
Yields pages of a query by position, not by number: each starts behind the last object of the one
before.
*/
export async function* keysetPages<T extends object>(
  query: Query<T>,
  size: number,
  options: ListOptions,
  typeOf: (path: string) => string | undefined,
): AsyncGenerator<Result<Stored<T>[]>> {
  const { offset, limit = Infinity } = query.spec
  if (query.spec.sort === undefined && /"\$near(Sphere)?":/.test(JSON.stringify(query.spec.filter))) {
    throw new TypeError('Pages of what is near need an order: none begins behind a distance')
  }
  let left = limit
  let longest = 0
  let page = query
  while (left > 0) {
    const result = await page.limit(Math.min(size, left)).list(options)
    const last = result.data.at(-1)
    if (last === undefined) {
      return
    }
    yield result
    // the server may allow less than requested; a page that is shorter than another is the last one
    if (result.data.length < longest) {
      return
    }
    longest = result.data.length
    left -= result.data.length
    page = query.filter(behind(query.spec.sort ?? {}, last as unknown as Values, typeOf) as Filter<T>)
    page = offset === undefined ? page : page.offset(0)
  }
}

/**
Returns a filter of what sorts behind an object: larger in the first field, or equal and larger in
the next, and so on, and at last in the id.
*/
export function behind(
  sort: { readonly [path: string]: 1 | -1 | undefined },
  last: Values,
  typeOf: (path: string) => string | undefined,
): Condition {
  const order = Object.entries('id' in sort ? sort : { ...sort, id: 1 as const })
  const equal: Condition[] = []
  const branches: Condition[] = []
  for (const [path, direction] of order) {
    const value = operand(valueAt(last, path), typeOf(path))
    branches.push(...beyond(path, value, direction ?? 1).map((each) => ({ $and: [...equal, each] })))
    equal.push({ [path]: value })
    if (path === 'id') {
      break
    }
  }
  return { $or: branches }
}

/**
Unset values come first in ascending order, and last in descending order; no comparison finds them.
*/
function beyond(path: string, value: unknown, direction: 1 | -1): Condition[] {
  if (value === null) {
    return direction === 1 ? [{ [path]: { $ne: null } }] : []
  }
  return direction === 1 ? [{ [path]: { $gt: value } }] : [{ [path]: { $lt: value } }, { [path]: null }]
}

/** Times are text in objects, and need a type in filters. */
function operand(value: unknown, type: string | undefined): unknown {
  return typeof value === 'string' && type === '/db/DateTime' ? { $date: value } : (value ?? null)
}

function valueAt(object: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Values | null)?.[name], object)
}
