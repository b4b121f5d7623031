import type { Json } from '../caching/queryKey.js'
import type { Sort } from '../query/conditions.js'
import { toJson } from '../query/filter.js'
import { isRecord } from '../wire.js'

/**
Whether an object matches a filter; undefined if that takes the server. Knows comparisons, lists of values and their combinations,
which is what most live queries are made of.
*/
export function matches(filter: object, object: object): boolean | undefined {
  return all(
    Object.entries(toJson(filter) as object).map(([path, condition]) =>
      holds(path, condition as Json, object),
    ),
  )
}

function holds(path: string, condition: Json, object: object): boolean | undefined {
  if (path === '$and' || path === '$or' || path === '$nor') {
    const parts = (condition as object[]).map((each) => matches(each, object))
    return path === '$and' ? all(parts) : path === '$or' ? any(parts) : not(any(parts))
  }
  if (path.startsWith('$')) {
    return undefined
  }
  const value = valueAt(object, path)
  return isOperators(condition)
    ? all(Object.entries(condition).map(([operator, operand]) => compares(operator, value, operand)))
    : equals(value, condition)
}

function compares(operator: string, value: unknown, operand: unknown): boolean | undefined {
  switch (operator) {
    case '$eq':
      return equals(value, operand)
    case '$ne':
      return not(equals(value, operand))
    case '$in':
      return any((operand as unknown[]).map((each) => equals(value, each)))
    case '$nin':
      return not(any((operand as unknown[]).map((each) => equals(value, each))))
    case '$gt':
      return isAhead(value, operand, (order) => order > 0)
    case '$gte':
      return isAhead(value, operand, (order) => order >= 0)
    case '$lt':
      return isAhead(value, operand, (order) => order < 0)
    case '$lte':
      return isAhead(value, operand, (order) => order <= 0)
    default:
      return undefined
  }
}

function equals(value: unknown, operand: unknown): boolean | undefined {
  if (isRecord(operand) && !Array.isArray(operand)) {
    return undefined
  }
  if (Array.isArray(value) && !Array.isArray(operand)) {
    return any(value.map((each) => equals(each, operand)))
  }
  return JSON.stringify(value ?? null) === JSON.stringify(operand)
}

function isAhead(value: unknown, operand: unknown, wanted: (order: number) => boolean): boolean | undefined {
  if (isRecord(value) || isRecord(operand)) {
    return undefined
  }
  return typeof value === typeof operand && wanted(compare(value, operand))
}

/** Orders objects as a query does; by id what is equal in all else. */
export function inOrder(sort: Sort<object>): (a: object, b: object) => number {
  const paths = Object.entries({ ...sort, ...('id' in sort ? {} : { id: 1 }) })
  return (a, b) => {
    for (const [path, direction] of paths) {
      const order = compare(valueAt(a, path), valueAt(b, path))
      if (order !== 0) return order * (direction as number)
    }
    return 0
  }
}

/** Unset values come first, as they do at the server. */
function compare(a: unknown, b: unknown): number {
  const [x, y] = [a ?? null, b ?? null] as [string, string]
  if (x === y) return 0
  if (x === null || y === null) return x === null ? -1 : 1
  return x < y ? -1 : x > y ? 1 : 0
}

function valueAt(object: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), object)
}

function isOperators(condition: Json): condition is { [operator: string]: Json } {
  return (
    isRecord(condition) &&
    !Array.isArray(condition) &&
    Object.keys(condition).some((key) => key.startsWith('$'))
  )
}

const not = (known: boolean | undefined) => (known === undefined ? undefined : !known)

function all(parts: readonly (boolean | undefined)[]): boolean | undefined {
  return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true
}

function any(parts: readonly (boolean | undefined)[]): boolean | undefined {
  return not(all(parts.map(not)))
}
