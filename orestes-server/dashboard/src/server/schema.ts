import type { ClassDescriptor, Client, FieldDescriptor, Permission } from '@orestes/sdk'

/** A class as an admin sees it. */
export interface ClassInfo extends ClassDescriptor {
  /** Name without the `/db/` before it. */
  readonly name: string
  /** By operation, who may do it; nobody named means everybody. */
  readonly acl: { readonly [operation: string]: Permission }
}

/** An index: paths to directions, in order. */
export interface IndexInfo {
  readonly keys: readonly { readonly [path: string]: string }[]
  readonly unique?: boolean
  /** Share of the objects that are in it, while it is filled. */
  readonly building?: number
}

/** Classes that every server has. */
const BUILT_IN: ReadonlySet<string> = new Set(['Object', 'User', 'Role', 'Device', 'logs.AppLog'])

/** Classes whose objects have more to them than their fields: passwords, and permissions that keep others from them. */
const OF_USERS: ReadonlySet<string> = new Set(['User', 'Role'])

const METADATA = ['id', 'version', 'acl', 'createdAt', 'updatedAt']

/** Types that a field can be given without further ado. */
export const FIELD_TYPES = [
  'String',
  'Integer',
  'Double',
  'Boolean',
  'DateTime',
  'Date',
  'Time',
  'GeoPoint',
  'JsonObject',
  'JsonArray',
] as const

/** Fields of built-in classes that every server has. */
const FIXED: { readonly [bucket: string]: readonly string[] } = {
  User: ['username', 'inactive'],
  Role: ['name', 'users'],
  Device: ['deviceOs'],
  'logs.AppLog': ['date', 'message', 'level', 'user', 'data'],
}

/** Whether a field of a class stays as it is, as every server has it. */
export function isFixed(bucket: string, field: string): boolean {
  return FIXED[bucket]?.includes(field) === true
}

export function isBuiltIn({ name }: ClassInfo): boolean {
  return BUILT_IN.has(name)
}

/** Whether objects of a class are made on the page of users. */
export function isMadeOnUsersPage(bucket: string): boolean {
  return OF_USERS.has(bucket)
}

/** Classes whose objects are stored for themselves, own ones first, each by name. */
export function bucketsOf(classes: readonly ClassInfo[]): ClassInfo[] {
  return classes
    .filter(({ name, embedded }) => name !== 'Object' && embedded !== true)
    .sort((a, b) => Number(isBuiltIn(a)) - Number(isBuiltIn(b)) || a.name.localeCompare(b.name))
}

/** The fields of a class and of those above it, without the metadata of every object; as they are ordered in the schema. */
export function fieldsOf(name: string, classes: readonly ClassInfo[]): FieldDescriptor[] {
  const found = classes.find((each) => each.name === name)
  if (found === undefined) {
    return []
  }
  const inherited = found.superClass === undefined ? [] : fieldsOf(nameOf(found.superClass), classes)
  const own = Object.values(found.fields).filter((field) => !METADATA.includes(field.name))
  return [...inherited, ...own]
}

/** Name of a class without the `/db/` before it. */
export function nameOf(ref: string): string {
  return ref.replace(/^\/db\//, '')
}

/** A type as people read it: `List[String]` for `/db/collection.List[/db/String]`. */
export function shortType(type: string): string {
  return type.replaceAll('/db/', '').replace('collection.', '')
}

export async function loadClasses(client: Client, signal?: AbortSignal): Promise<ClassInfo[]> {
  const classes = (await client.request('/schema', { signal })) as (ClassDescriptor &
    Pick<ClassInfo, 'acl'>)[]
  return classes.map((each) => ({ ...each, name: nameOf(each.class) }))
}

/** What a class is beside its fields. */
export type ClassKind = Pick<ClassDescriptor, 'superClass' | 'embedded'>

/** Adds a class, or fields to one that is there. */
export async function addFields(
  client: Client,
  bucket: string,
  fields: { readonly [name: string]: string },
  kind: ClassKind = {},
): Promise<void> {
  const described = Object.entries(fields).map(([name, type]) => [name, { name, type: `/db/${type}` }])
  const body = { class: `/db/${bucket}`, ...kind, fields: Object.fromEntries(described) }
  await client.request(classPath(bucket), { method: 'POST', body })
}

export async function loadIndexes(
  client: Client,
  bucket: string,
  signal?: AbortSignal,
): Promise<IndexInfo[]> {
  return (await client.request(`/index/${encodeURIComponent(bucket)}`, { signal })) as IndexInfo[]
}

const classPath = (bucket: string) => `/schema/${encodeURIComponent(bucket)}`
