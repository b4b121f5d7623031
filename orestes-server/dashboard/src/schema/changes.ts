import type { FieldDescriptor, Permission } from '@orestes/sdk'
import { nameOf, shortType, type ClassInfo } from '../server/schema'
import { constraintsOf } from './constraints'
import type { Relations } from './relations'
import { rulesOf } from './rules'

/** One operation on a class, as `POST /schema` takes it. */
export type SchemaChange =
  | { readonly operation: 'renameField'; readonly bucket: string; readonly from: string; readonly to: string }
  | { readonly operation: 'removeField'; readonly bucket: string; readonly name: string }
  | {
      readonly operation: 'changeField'
      readonly bucket: string
      readonly field: FieldDescriptor
      readonly lossy?: true
    }
  | { readonly operation: 'updateClassAcl'; readonly bucket: string; readonly acl: Permissions }
  | { readonly operation: 'removeClass'; readonly bucket: string }

/** By operation, who may do it; nobody named means everybody. */
export interface Permissions {
  readonly [operation: string]: Permission
}

/** A property of a class that a change gives another value, in words. */
export interface Difference {
  readonly what: string
  readonly before: string
  readonly after: string
}

/** What operations on objects and classes are called. */
export const OPERATIONS: { readonly [operation: string]: string } = {
  load: 'load one',
  query: 'query',
  insert: 'insert',
  update: 'update',
  delete: 'delete',
  schemaAdd: 'add fields',
  schemaReplace: 'change fields',
  schemaSubclass: 'derive classes',
}

/** How a field differs after a change of it; empty if it does not. */
export function fieldDifferences(before: FieldDescriptor, after: FieldDescriptor): Difference[] {
  return [
    { what: 'type', before: shortType(before.type), after: shortType(after.type) },
    { what: 'constraints', before: constraintText(before), after: constraintText(after) },
  ].filter(isDifferent)
}

function constraintText(field: FieldDescriptor): string {
  return constraintsOf(field).sort().join(', ') || 'none'
}

/**
How permissions differ after a change of some of them.

@param names what users and roles are called, by their ids
*/
export function permissionDifferences(
  before: Permissions,
  after: Permissions,
  names: ReadonlyMap<string, string>,
): Difference[] {
  return Object.entries(after)
    .map(([operation, permission]) => ({
      what: `who may ${OPERATIONS[operation] ?? operation}`,
      before: whoMay(before[operation] ?? {}, names),
      after: whoMay(permission, names),
    }))
    .filter(isDifferent)
}

function isDifferent({ before, after }: Difference): boolean {
  return before !== after
}

/** Such as `admin, editors, but not ann`. */
export function whoMay(permission: Permission, names: ReadonlyMap<string, string>): string {
  const rules = rulesOf(permission, names)
  const named = (wanted: 'allow' | 'deny') =>
    rules.filter(({ rule }) => rule === wanted).map(({ name }) => name)
  const may = named('allow').join(', ') || 'everybody'
  return named('deny').length === 0 ? may : `${may}, but not ${named('deny').join(', ')}`
}

/**
What a change of a field does to objects and to those who use them.

@param stored how many objects have a value there, where that is known
*/
export function effectsOf(
  change: SchemaChange,
  before: FieldDescriptor,
  stored: number | undefined,
): string[] {
  const [values, are] = stored === 1 ? ['1 stored value', 'is'] : [countedValues(stored), 'are']
  switch (change.operation) {
    case 'renameField':
      return [
        `${values} ${are} moved to ${change.to}.`,
        `Applications that go on to write ${change.from} are refused (463), and their queries for it find nothing.`,
        'Indexes on the field follow; one that is being filled has to be declared again.',
      ]
    case 'removeField':
      return [
        `${values} ${are} deleted for good.`,
        `Applications that go on to write ${change.name} are refused (463).`,
      ]
    case 'changeField':
      return changeEffects(change.field.type !== before.type, change.lossy === true, `${values} ${are}`)
    case 'updateClassAcl':
    case 'removeClass':
      return []
  }
}

function changeEffects(isOtherType: boolean, isLossy: boolean, values: string): string[] {
  if (!isOtherType) {
    return [
      'All stored objects are looked at first. If one does not fulfil the constraints, nothing changes.',
    ]
  }
  return isLossy
    ? [`${values} converted. What does not fit loses a part, such as 7.5 as an Integer, or becomes unset.`]
    : [`${values} converted if all fit the new type. If one does not, nothing changes.`]
}

/** What a change of permissions does beside what it says. */
export function permissionEffects(before: Permissions, after: Permissions): string[] {
  const isOpen = (permissions: Permissions, operation: string) =>
    Object.keys(permissions[operation] ?? {}).length === 0
  const changed = Object.keys(after).filter(
    (operation) => isOpen(before, operation) !== isOpen(after, operation),
  )
  const opened = changed.filter((operation) => isOpen(after, operation))
  const isHidden = changed.some(
    (operation) => ['load', 'query'].includes(operation) && !isOpen(after, operation),
  )
  return [
    ...(opened.length === 0
      ? []
      : [
          `Everybody may ${opened.map((each) => OPERATIONS[each] ?? each).join(' and ')}, also who is not logged in.`,
        ]),
    ...(isHidden
      ? [
          'Shared caches forget the objects and keep them no longer: reads take longer than while they are public.',
        ]
      : []),
    'Permissions of single objects stay, and hold besides.',
  ]
}

/** What is different once a class is dropped. */
export function dropDifferences({ fields }: ClassInfo, stored: number | undefined): Difference[] {
  return [
    { what: 'fields', before: Object.keys(fields).join(', ') || 'none', after: 'none' },
    { what: 'objects', before: stored === undefined ? 'unknown' : stored.toLocaleString('en'), after: '0' },
  ].filter(isDifferent)
}

/** What the drop of a class does to its objects and to the classes around it. */
export function dropEffects({ name }: ClassInfo, { extendedBy, referredToBy }: Relations): string[] {
  const others = referredToBy.filter(({ bucket }) => bucket !== name)
  const users = [...extendedBy, ...others.map(({ bucket, field }) => `${bucket}.${field}`)]
  return [
    'The class, all of its objects and its indexes are deleted for good.',
    ...(users.length === 0 ? [] : [`It is refused as long as these need the class: ${users.join(', ')}.`]),
  ]
}

function countedValues(stored: number | undefined): string {
  return stored === undefined ? 'Stored values' : `${stored.toLocaleString('en')} stored values`
}

/** A file for the folder `migrations` of a team's schema: `./orestes schema apply` carries it out on other servers. */
export function migrationOf(change: SchemaChange): { readonly name: string; readonly text: string } {
  return {
    name: `0001-${slugOf(change)}.json`,
    text: `${JSON.stringify({ changes: [change] }, null, 2)}\n`,
  }
}

function slugOf(change: SchemaChange): string {
  if (change.operation === 'removeClass') {
    return `remove-${nameOf(change.bucket)}`.toLowerCase()
  }
  return [...wordsOf(change), 'of', nameOf(change.bucket)].join('-').toLowerCase()
}

function wordsOf(change: Exclude<SchemaChange, { readonly operation: 'removeClass' }>): string[] {
  switch (change.operation) {
    case 'renameField':
      return ['rename', change.from]
    case 'removeField':
      return ['remove', change.name]
    case 'changeField':
      return ['change', change.field.name]
    case 'updateClassAcl':
      return ['permissions']
  }
}

/** The same for one server, by hand. */
export function curlOf(change: SchemaChange, origin: string): string {
  return [
    `curl -s ${origin}/v1/schema \\`,
    `  -H "Authorization: BAT $TOKEN" -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(change).replaceAll("'", `'\\''`)}'`,
  ].join('\n')
}
