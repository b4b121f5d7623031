import { InputError, jsonIn, parseValue } from '../server/values'
import type { Column } from './columns'

/** How a field is compared in the filter builder. */
export type Operator =
  | 'equals'
  | 'differs'
  | 'above'
  | 'atLeast'
  | 'below'
  | 'atMost'
  | 'contains'
  | 'begins'
  | 'isSet'
  | 'isUnset'

/** One line of the filter builder. */
export interface Condition {
  readonly path: string
  readonly operator: Operator
  /** As it was typed. */
  readonly value: string
}

const NAMES: { readonly [O in Operator]: string } = {
  equals: 'is',
  differs: 'is not',
  above: 'is more than',
  atLeast: 'is at least',
  below: 'is less than',
  atMost: 'is at most',
  contains: 'contains',
  begins: 'begins with',
  isSet: 'is set',
  isUnset: 'is not set',
}

const ORDERED = ['equals', 'differs', 'above', 'atLeast', 'below', 'atMost', 'isSet', 'isUnset'] as const

/** What a field can be compared by, in the order they are offered. */
export function operatorsOf({ kind }: Column): readonly Operator[] {
  switch (kind) {
    case 'text':
      return ['equals', 'differs', 'contains', 'begins', 'isSet', 'isUnset']
    case 'boolean':
    case 'reference':
      return ['equals', 'differs', 'isSet', 'isUnset']
    case 'json':
      return ['isSet', 'isUnset', 'contains']
    default:
      return ORDERED
  }
}

export function operatorName(operator: Operator): string {
  return NAMES[operator]
}

/** Whether an operator compares with something. */
export function takesValue(operator: Operator): boolean {
  return operator !== 'isSet' && operator !== 'isUnset'
}

/**
The filter that all conditions make together, as JSON text; empty for none.

@throws {InputError} if a value does not fit its field
*/
export function toFilter(conditions: readonly Condition[], columns: readonly Column[]): string {
  const filters = conditions.flatMap((each) => {
    const column = columns.find(({ path }) => path === each.path)
    return column === undefined ? [] : [{ [each.path]: operandOf(each, column) }]
  })
  if (filters.length === 0) {
    return ''
  }
  const paths = new Set(conditions.map(({ path }) => path))
  const isDistinct = paths.size === filters.length
  return JSON.stringify(isDistinct ? Object.assign({}, ...filters) : { $and: filters })
}

function operandOf({ path, operator, value }: Condition, column: Column): unknown {
  switch (operator) {
    case 'isSet':
      return { $ne: null }
    case 'isUnset':
      return null
    case 'begins':
      return { $regex: `^${escaped(value)}` }
    case 'contains':
      return column.kind === 'json' ? elementIn(value) : { $regex: escaped(value) }
    case 'equals':
      return operand(path, value, column)
    case 'differs':
      return { $ne: operand(path, value, column) }
    case 'above':
      return { $gt: operand(path, value, column) }
    case 'atLeast':
      return { $gte: operand(path, value, column) }
    case 'below':
      return { $lt: operand(path, value, column) }
    case 'atMost':
      return { $lte: operand(path, value, column) }
  }
}

/** Times are text in objects, and have to be said to be times in filters. */
function operand(path: string, value: string, column: Column): unknown {
  const parsed = parseValue(value, column.kind, column.type)
  if (parsed === null) {
    throw new InputError(`${path} has to be compared with something`)
  }
  return column.kind === 'dateTime' ? { $date: parsed } : parsed
}

/** An element of a list: JSON, or else the text itself. */
function elementIn(text: string): unknown {
  try {
    return jsonIn(text)
  } catch {
    return text
  }
}

/** A regular expression that finds a text as it is. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/**
The filter in a text, which may be empty.

@throws {InputError} if it is no JSON object
*/
export function filterIn(text: string): { readonly [path: string]: unknown } {
  if (text.trim() === '') {
    return {}
  }
  const filter = jsonIn(text)
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) {
    throw new InputError('A filter is a JSON object, such as {"done": false}')
  }
  return filter as { [path: string]: unknown }
}
