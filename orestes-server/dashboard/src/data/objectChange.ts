import { fieldsOf, nameOf, type ClassInfo } from '../server/schema'
import { InputError, isRounded } from '../server/values'

/** The fields of an object, as JSON has them. */
export interface Fields {
  readonly [field: string]: unknown
}

/** What an edited object takes: new values by their paths, or to be stored as a whole. */
export type ObjectChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'update'; readonly values: Fields }
  | { readonly kind: 'replace' }

/**
What has to be written for an object to become what somebody made of it: only the fields that differ, since a browser cannot
hold every number of the others. A member that was taken out is unset.

@throws {InputError} if an integer would be written that the browser knows only roughly
*/
export function changeOf(
  before: Fields,
  after: Fields,
  bucket: string,
  classes: readonly ClassInfo[],
): ObjectChange {
  const values: { [path: string]: unknown } = {}
  const isByPath = collect(before, after, '', typesOf(bucket, classes), classes, values)
  if (!isByPath) {
    refuseRounded('', after, '')
    return { kind: 'replace' }
  }
  return Object.keys(values).length === 0 ? { kind: 'none' } : { kind: 'update', values }
}

/** Fields whose values are shown only roughly, as they have integers beyond 2^53. */
export function roundedFields(object: Fields, bucket: string, classes: readonly ClassInfo[]): string[] {
  const types = typesOf(bucket, classes)
  return Object.keys(object).filter((name) => !isOfDoubles(types[name] ?? '') && hasRounded(object[name]))
}

type Types = { readonly [field: string]: string }

/** Returns whether all changes can be said by paths; an embedded object as a whole cannot be. */
function collect(
  before: Fields,
  after: Fields,
  prefix: string,
  types: Types,
  classes: readonly ClassInfo[],
  values: { [path: string]: unknown },
): boolean {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].every((name) => {
    const [was, is, type = ''] = [before[name] ?? null, after[name] ?? null, types[name]]
    if (JSON.stringify(was) === JSON.stringify(is)) {
      return true
    }
    const path = prefix + name
    if (isEmbedded(type, classes)) {
      const members = typesOf(nameOf(type), classes)
      return isFields(is) && collect(isFields(was) ? was : {}, is, `${path}.`, members, classes, values)
    }
    refuseRounded(path, is, type)
    values[path] = is
    return true
  })
}

function typesOf(bucket: string, classes: readonly ClassInfo[]): Types {
  return Object.fromEntries(fieldsOf(bucket, classes).map(({ name, type }) => [name, type]))
}

function isEmbedded(type: string, classes: readonly ClassInfo[]): boolean {
  return classes.some(({ name, embedded }) => embedded === true && name === nameOf(type))
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuseRounded(path: string, value: unknown, type: string): void {
  if (!isOfDoubles(type) && hasRounded(value)) {
    const where = path === '' ? 'The object' : path
    throw new InputError(
      `${where} has an integer beyond 2^53, of which the browser does not know all digits. It cannot be written from here.`,
    )
  }
}

/** These are stored as what a browser computes with. */
function isOfDoubles(type: string): boolean {
  return /\bDouble\]?$/.test(type)
}

function hasRounded(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).some(hasRounded)
    : isRounded(value)
}
