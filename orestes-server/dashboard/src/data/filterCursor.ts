import type { FilterFields } from './filterFields'
import { JOINING, membersOf, ON_FIELDS, type FilterOperator } from './filterOperators'

/** What a part of a filter is about; paths are those from the whole object. */
export type Part =
  /** A filter on objects, or on those embedded at a path. */
  | { readonly kind: 'filter'; readonly below: string }
  | { readonly kind: 'filters'; readonly below: string }
  /** What stands behind a field: a value, or operators. */
  | { readonly kind: 'condition'; readonly path: string }
  | { readonly kind: 'operators'; readonly path: string }
  | { readonly kind: 'value'; readonly path: string }
  | { readonly kind: 'values'; readonly path: string }
  | { readonly kind: 'members'; readonly of: readonly FilterOperator[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'type' }
  | { readonly kind: 'unknown' }

/** Where the cursor is in a filter, and what is typed there already. */
export interface Place {
  readonly part: Part
  readonly isKey: boolean
  /** Whether a quotation mark is open. */
  readonly isQuoted: boolean
  /** What stands from the beginning of the word up to the cursor. */
  readonly typed: string
  readonly from: number
  /** Keys before it in the same object. */
  readonly keys: readonly string[]
}

interface Frame {
  readonly bracket: '{' | '[' | ''
  readonly part: Part
  readonly keys: string[]
  awaits: 'key' | 'colon' | 'value' | 'comma'
}

const UNKNOWN: Part = { kind: 'unknown' }

/** Where a cursor is in JSON that may end anywhere; nothing if what stands before it is no beginning of a filter. */
export function placeIn(text: string, cursor: number, fields: FilterFields): Place | undefined {
  const stack: Frame[] = [{ bracket: '', part: { kind: 'filter', below: '' }, keys: [], awaits: 'value' }]
  const tokens = /\s+|"(?:[^"\\]+|\\.)*("?)|[{}[\]:,]|[^\s{}[\]:,"]+/gy
  const before = text.slice(0, cursor)
  for (const { 0: token, 1: closing, index } of before.matchAll(tokens)) {
    const frame = stack.at(-1)!
    const isLast = index + token.length === cursor
    if (token.trim() === '') continue
    if (token === '{' || token === '[') {
      if (frame.awaits !== 'value') return undefined
      stack.push(opened(token, partOf(frame, fields)))
    } else if (token === '}' || token === ']') {
      if (frame.bracket !== (token === '}' ? '{' : '[')) return undefined
      stack.pop()
      stack.at(-1)!.awaits = 'comma'
    } else if (token === ':' || token === ',') {
      if (frame.awaits !== (token === ':' ? 'colon' : 'comma') || frame.bracket === '') return undefined
      frame.awaits = token === ',' && frame.bracket === '{' ? 'key' : 'value'
    } else if (isLast && closing !== '"') {
      return placeOf(frame, token, index, fields)
    } else if (frame.awaits === 'key') {
      frame.keys.push(keyIn(token))
      frame.awaits = 'colon'
    } else if (frame.awaits === 'value') {
      frame.awaits = 'comma'
    } else {
      return undefined
    }
  }
  return placeOf(stack.at(-1)!, '', cursor, fields)
}

function opened(bracket: '{' | '[', part: Part): Frame {
  return {
    bracket,
    part: bracket === '{' ? inObject(part) : inArray(part),
    keys: [],
    awaits: bracket === '{' ? 'key' : 'value',
  }
}

function placeOf(frame: Frame, token: string, from: number, fields: FilterFields): Place | undefined {
  const isKey = frame.awaits === 'key'
  if (!isKey && frame.awaits !== 'value') {
    return undefined
  }
  const isQuoted = token.startsWith('"')
  const part = isKey ? frame.part : partOf(frame, fields)
  return { part, isKey, isQuoted, typed: isQuoted ? token.slice(1) : token, from, keys: frame.keys }
}

function keyIn(token: string): string {
  try {
    return String(JSON.parse(token))
  } catch {
    return token
  }
}

/** What the next value in an object or array is. */
function partOf({ bracket, part, keys }: Frame, fields: FilterFields): Part {
  return bracket === '{' ? ofMember(part, keys.at(-1) ?? '', fields) : part
}

function ofMember(part: Part, key: string, fields: FilterFields): Part {
  switch (part.kind) {
    case 'filter':
      return key.startsWith('$')
        ? operandOf(JOINING, key, part.below, fields)
        : { kind: 'condition', path: joined(part.below, key) }
    case 'operators':
      return operandOf(ON_FIELDS, key, part.path, fields)
    case 'members':
      return operandOf(part.of, key, '', fields)
    default:
      return UNKNOWN
  }
}

export function joined(below: string, path: string): string {
  return below === '' ? path : `${below}.${path}`
}

function operandOf(known: readonly FilterOperator[], key: string, path: string, fields: FilterFields): Part {
  const operand = known.find(({ name }) => name === key)?.operand
  switch (operand) {
    case undefined:
      return UNKNOWN
    case 'filters':
      return { kind: 'filters', below: path }
    case 'value':
    case 'values':
    case 'operators':
      return { kind: operand, path }
    case 'element':
      return fields.embeddedAt(path) === undefined
        ? { kind: 'operators', path }
        : { kind: 'filter', below: path }
    case 'boolean':
    case 'type':
      return { kind: operand }
    default: {
      const of = membersOf(operand)
      return of === undefined ? UNKNOWN : { kind: 'members', of }
    }
  }
}

function inObject(part: Part): Part {
  switch (part.kind) {
    case 'condition':
      return { kind: 'operators', path: part.path }
    case 'filter':
    case 'operators':
    case 'members':
      return part
    default:
      return UNKNOWN
  }
}

function inArray(part: Part): Part {
  switch (part.kind) {
    case 'filters':
      return { kind: 'filter', below: part.below }
    case 'condition':
    case 'values':
      return { kind: 'value', path: part.path }
    case 'type':
      return part
    default:
      return UNKNOWN
  }
}
