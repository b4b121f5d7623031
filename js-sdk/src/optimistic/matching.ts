import type { Json } from '../caching/queryKey.js'
import type { Sort } from '../query/conditions.js'
import { toJson } from '../query/filter.js'
import { isRecord } from '../wire.js'

/**
Returns whether an object matches a filter; undefined if only the server can decide. Supports
comparisons, lists of values and their combinations, of which most live queries consist.
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
  if (leadsThroughList(object, path)) {
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
  if (hasRecord(operand)) {
    return undefined
  }
  const elements = Array.isArray(value) ? value : []
  return any([value, ...elements].map((each) => isSame(each, operand)))
}

/** Different texts may denote one time. */
function isSame(value: unknown, operand: unknown): boolean | undefined {
  const isEqual = JSON.stringify(value ?? null) === JSON.stringify(operand)
  return !isEqual && areTimes(value, operand) ? undefined : isEqual
}

function isAhead(value: unknown, operand: unknown, wanted: (order: number) => boolean): boolean | undefined {
  if (isRecord(value) || isRecord(operand)) {
    return undefined
  }
  const order = compare(value, operand)
  if (
    areTimes(value, operand) &&
    order !== compare(Date.parse(value as string), Date.parse(operand as string))
  ) {
    return undefined
  }
  return typeof (value ?? null) === typeof operand && wanted(order)
}

/** Returns whether both are texts of a field of type DateTime, or of another type. */
function areTimes(...values: unknown[]): boolean {
  return values.every(
    (each) => typeof each === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(each),
  )
}

/** Only the server compares dates and embedded objects. */
function hasRecord(operand: unknown): boolean {
  return Array.isArray(operand) ? operand.some(hasRecord) : isRecord(operand)
}

/** Orders objects as a query does; ties by id. */
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

/** Unset values come first, and texts are ordered by code points, like at the server. */
function compare(a: unknown, b: unknown): number {
  const [x, y] = [a ?? null, b ?? null] as [string, string]
  if (x === y) return 0
  if (x === null || y === null) return x === null ? -1 : 1
  if (typeof x === 'string' && typeof y === 'string') return compareTexts(x, y)
  return x < y ? -1 : x > y ? 1 : 0
}

/**
JavaScript's own order puts characters beyond U+FFFF, which are two code units, before some that are
smaller.
*/
function compareTexts(x: string, y: string): number {
  let i = 0
  while (i < x.length && x[i] === y[i]) i++
  const [a, b] = [x, y].map((each) => placeOf(each.charCodeAt(i)))
  return Math.sign(a! - b!)
}

/** The end of a text comes first, surrogates last. */
function placeOf(unit: number): number {
  return Number.isNaN(unit) ? -1 : unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}

function valueAt(object: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), object)
}

/** Only the server evaluates paths into elements of a list. */
function leadsThroughList(object: object, path: string): boolean {
  const names = path.split('.').slice(0, -1)
  return names.some((_, i) => Array.isArray(valueAt(object, names.slice(0, i + 1).join('.'))))
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
