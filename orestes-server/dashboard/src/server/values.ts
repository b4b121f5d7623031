import { nameOf, type ClassInfo } from './schema'

/** How values of a field are shown and typed in. */
export type Kind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'dateTime'
  | 'date'
  | 'time'
  | 'reference'
  | 'json'

const KINDS: { readonly [type: string]: Kind } = {
  String: 'text',
  File: 'text',
  Integer: 'integer',
  Double: 'number',
  Boolean: 'boolean',
  DateTime: 'dateTime',
  Date: 'date',
  Time: 'time',
  GeoPoint: 'json',
  JsonArray: 'json',
  JsonObject: 'json',
}

/** What somebody typed is no value of the field; the message says what would be one. */
export class InputError extends Error {
  override name = 'InputError'
}

/** The kind of a field by its type, such as `/db/String` or the name of a class. */
export function kindOf(type: string, classes: readonly ClassInfo[]): Kind {
  const name = nameOf(type)
  const isStored = classes.some((each) => each.name === name && each.embedded !== true)
  return KINDS[name] ?? (isStored ? 'reference' : 'json')
}

/** A value as one line of text; empty if it is unset. */
export function formatValue(value: unknown, kind: Kind): string {
  if (value === null || value === undefined) {
    return ''
  }
  if (kind === 'dateTime' && typeof value === 'string') {
    return value.replace('T', ' ').replace(/(:\d\d)\.000Z$/, '$1Z')
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The key in an id, as people wrote it. */
export function keyIn(id: string): string {
  const key = id.split('/').slice(3).join('/')
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** What somebody edits in the place of a value; null if it is unset. */
export function editableText(value: unknown, kind: Kind): string | null {
  if (value === null || value === undefined) {
    return null
  }
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

/**
A text in the place of another one, with line ends as that has them: what people type ends lines by `\n` only, and a change of
one word should not be one of every line.
*/
export function withLineEndsOf(before: string, text: string): string {
  const isOfWindows = before.includes('\r\n') && !/(^|[^\r])\n/.test(before)
  return isOfWindows ? text.replace(/\r?\n/g, '\r\n') : text
}

/** Whether a number is a whole one that the browser knows by its first 53 bits only, so that it must not be written back. */
export function isRounded(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value)
}

/**
The value that somebody typed stands for; null, which unsets the field, if there is none. A text stands for itself, also an empty
one; where it is to stand for something else, an empty one stands for nothing.

@param target class of the object that a reference leads to; a key alone is one of its keys
@throws {InputError} if it stands for no value of the kind
*/
export function parseValue(text: string | null, kind: Kind, target = ''): unknown {
  if (text === null || kind === 'text') {
    return text
  }
  const trimmed = text.trim()
  if (trimmed === '') {
    return null
  }
  switch (kind) {
    case 'integer':
      return numberIn(trimmed, Number.isSafeInteger, 'a whole number below 2^53')
    case 'number':
      return numberIn(trimmed, Number.isFinite, 'a number')
    case 'boolean':
      return oneOf(trimmed, { true: true, false: false }, 'true or false')
    case 'dateTime':
      return instantIn(trimmed)
    case 'date':
      return matching(trimmed, /^\d{4}-\d\d-\d\d$/, 'a date such as 2026-01-31')
    case 'time':
      return matching(trimmed, /^\d\d:\d\d/, 'a time such as 09:30:00')
    case 'reference':
      return trimmed.startsWith('/db/') ? trimmed : `/db/${target}/${encodeURIComponent(trimmed)}`
    case 'json':
      return jsonIn(trimmed)
  }
}

/** @throws {InputError} if the text is no JSON */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new InputError(`This is no JSON: ${(error as Error).message}`)
  }
}

function numberIn(text: string, isGood: (value: number) => boolean, wanted: string): number {
  const value = Number(text)
  if (!isGood(value)) {
    throw new InputError(`${text} is not ${wanted}`)
  }
  return value
}

function oneOf<T>(text: string, values: { readonly [text: string]: T }, wanted: string): T {
  if (!Object.hasOwn(values, text)) {
    throw new InputError(`${text} is not ${wanted}`)
  }
  return values[text] as T
}

/** Browsers read much else as a time, and not as who wrote it meant it. */
const INSTANT = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/

/** A time without a zone is taken for one of UTC, as all times are shown in it. */
function instantIn(text: string): string {
  const withZone = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`
  const millis = Date.parse(withZone.replace(/^(\d{4}-\d\d-\d\d)Z$/, '$1').replace(' ', 'T'))
  if (!INSTANT.test(text) || Number.isNaN(millis)) {
    throw new InputError(`${text} is not a time such as 2026-01-31T09:30:00Z`)
  }
  return new Date(millis).toISOString()
}

function matching(text: string, pattern: RegExp, wanted: string): string {
  if (!pattern.test(text)) {
    throw new InputError(`${text} is not ${wanted}`)
  }
  return text
}
