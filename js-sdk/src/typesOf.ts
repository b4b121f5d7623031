import type { ClassDescriptor, FieldDescriptor } from './metamodel.js'

/** Names that TypeScript or the written file itself uses otherwise. */
const TAKEN = new Set(
  (
    'any bigint boolean never null number object string symbol undefined unknown void break case catch class const continue debugger ' +
    'default delete do else enum export extends false finally for function if implements import in instanceof interface let new ' +
    'package private protected public return static super switch this throw true try typeof var while with yield await async ' +
    'type readonly orestes Schema'
  ).split(' '),
)

const BASIC: { readonly [type: string]: string } = {
  Boolean: 'boolean',
  Double: 'number',
  Integer: 'number',
  String: 'string',
  DateTime: 'string',
  Date: 'string',
  Time: 'string',
  File: 'string',
  GeoPoint: 'orestes.GeoPoint',
  JsonArray: 'unknown[]',
  JsonObject: '{ [key: string]: unknown }',
}

/**
Returns the classes of a server as TypeScript: an interface for each, and `Schema`, which names them
all, for `connect<Schema>`. Unset fields are null, unless the schema requires a value; metadata of
objects are left to `Stored`.

@param classes as `/v1/schema` returns them
*/
export function typesOf(classes: readonly ClassDescriptor[]): string {
  const own = classes.filter(({ class: ref }) => ref !== '/db/Object')
  const names = namesOf(own)
  const buckets = own.filter(({ embedded }) => embedded !== true)
  return [
    '// Written by orestes types; changes belong into the schema of the server.',
    `import type * as orestes from '@orestes/sdk'`,
    ...own.map((each) => interfaceOf(each, names)),
    block(
      'export interface Schema',
      buckets.map(({ class: ref }) => `readonly ${member(nameOf(ref))}: ${names.get(ref)}`),
    ),
    '',
  ].join('\n\n')
}

function interfaceOf({ class: ref, superClass, fields }: ClassDescriptor, names: Names): string {
  const parent = superClass === undefined ? undefined : names.get(superClass)
  return block(
    `export interface ${names.get(ref)}${parent === undefined ? '' : ` extends ${parent}`}`,
    Object.entries(fields).map(([name, field]) => `${member(name)}: ${fieldType(field, names)}`),
  )
}

function fieldType({ type, flags = [] }: FieldDescriptor, names: Names): string {
  return flags.includes('NOTNULL') ? typeOf(type, names) : `${typeOf(type, names)} | null`
}

function typeOf(ref: string, names: Names): string {
  const [, collection, parameters = ''] = /^\/db\/collection\.(List|Set|Map)\[(.*)\]$/.exec(ref) ?? []
  if (collection === 'Map') {
    const [, value = ''] = /^[^,]*,(.*)$/.exec(parameters) ?? []
    return `{ [key: string]: ${typeOf(value, names)} }`
  }
  if (collection !== undefined) {
    const element = typeOf(parameters, names)
    return /[ {]/.test(element) ? `(${element})[]` : `${element}[]`
  }
  return BASIC[nameOf(ref)] ?? referred(ref, names)
}

/** Returns the type of a reference: an embedded object itself, any other as its id. */
function referred(ref: string, names: Names): string {
  const name = names.get(ref)
  return name === undefined ? 'unknown' : names.embedded.has(ref) ? name : `orestes.Ref<${name}>`
}

/** Names of classes in TypeScript. */
interface Names {
  get(ref: string): string | undefined
  readonly embedded: ReadonlySet<string>
}

function namesOf(classes: readonly ClassDescriptor[]): Names {
  const names = new Map<string, string>()
  const taken = new Set(TAKEN)
  for (const { class: ref } of classes) {
    let name = nameOf(ref).replace(/\W/g, '_').replace(/^\d/, '_$&')
    while (taken.has(name)) name += '_'
    taken.add(name)
    names.set(ref, name)
  }
  const embedded = classes.filter((each) => each.embedded === true).map((each) => each.class)
  return { get: (ref) => names.get(ref), embedded: new Set(embedded) }
}

function block(head: string, members: readonly string[]): string {
  return members.length === 0 ? `${head} {}` : `${head} {\n${members.map((each) => `  ${each}\n`).join('')}}`
}

const nameOf = (ref: string) => ref.replace(/^\/db\//, '')

const member = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
