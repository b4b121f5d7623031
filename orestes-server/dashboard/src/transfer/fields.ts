import { fieldsOf, nameOf, type ClassInfo } from '../server/schema'
import { InputError, jsonIn, kindOf, parseValue, type Kind } from '../server/values'
import { guarded, unguarded, type CsvCell } from './csv'
import { membersOf } from './jsonText'

/** A column of a CSV file. */
export interface Field {
  readonly name: string
  readonly kind: Kind
  /** Type without the `/db/` before it. */
  readonly type: string
}

/** What the server sets itself; it is exported, and left out when it is imported. */
const SET_BY_SERVER: readonly Field[] = [
  { name: 'version', kind: 'integer', type: 'Integer' },
  { name: 'createdAt', kind: 'dateTime', type: 'DateTime' },
  { name: 'updatedAt', kind: 'dateTime', type: 'DateTime' },
]

/** Columns of an export: the id, the fields of the class, permissions, and what the server sets. */
export function exportedFields(bucket: string, classes: readonly ClassInfo[]): Field[] {
  return [...importedFields(bucket, classes), ...SET_BY_SERVER]
}

/** Columns that an import takes. */
export function importedFields(bucket: string, classes: readonly ClassInfo[]): Field[] {
  const fields = fieldsOf(bucket, classes).map(({ name, type }) => ({
    name,
    kind: kindOf(type, classes),
    type: nameOf(type),
  }))
  return [
    { name: 'id', kind: 'reference', type: bucket },
    ...fields,
    { name: 'acl', kind: 'json', type: 'JsonObject' },
  ]
}

export function isSetByServer(name: string): boolean {
  return SET_BY_SERVER.some((field) => field.name === name)
}

/** The row of an object, given as JSON. */
export function cellsOf(object: string, fields: readonly Field[]): CsvCell[] {
  const members = membersOf(object)
  return fields.map(({ name, kind }) => cellOf(members.get(name), kind))
}

/** A number stays as it is; spreadsheets may calculate with it. */
function cellOf(json: string | undefined, kind: Kind): CsvCell {
  if (json === undefined || json === 'null') {
    return null
  }
  if (kind !== 'json' && json.startsWith('"')) {
    return guarded(JSON.parse(json) as string)
  }
  return kind === 'integer' || kind === 'number' ? json : guarded(json)
}

/**
The value of a cell as JSON.

@throws {InputError} that names the column
*/
export function jsonOf(cell: CsvCell, { name, kind, type }: Field): string {
  try {
    return cell === null ? 'null' : jsonOfText(cell, kind, type)
  } catch (error) {
    throw new InputError(`${name}: ${(error as Error).message}`)
  }
}

function jsonOfText(cell: string, kind: Kind, type: string): string {
  const text = kind === 'number' || kind === 'integer' ? cell : unguarded(cell)
  if (kind === 'json' && text.trim() !== '') {
    jsonIn(text)
    return text
  }
  if (kind === 'integer' && /^\s*-?\d{1,19}\s*$/.test(text)) {
    return BigInt(text).toString()
  }
  if (kind === 'integer' && text.trim() !== '') {
    throw new InputError(`${text} is not a whole number as it is stored; a spreadsheet may have shortened it`)
  }
  // spreadsheets write TRUE
  return JSON.stringify(parseValue(kind === 'boolean' ? text.toLowerCase() : text, kind, type))
}
