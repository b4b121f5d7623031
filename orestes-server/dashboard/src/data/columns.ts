import { fieldsOf, nameOf, type ClassInfo } from '../server/schema'
import { kindOf, type Kind } from '../server/values'

/** A column of the table: a field, or metadata that everybody wants to see. */
export interface Column {
  /** Path of the field. */
  readonly path: string
  readonly kind: Kind
  /** Type without the `/db/` before it. */
  readonly type: string
  readonly isEditable: boolean
  /** Width in pixels. */
  readonly width: number
}

const WIDTHS: { readonly [K in Kind]: number } = {
  text: 220,
  integer: 150,
  number: 140,
  boolean: 150,
  dateTime: 210,
  date: 130,
  time: 120,
  reference: 200,
  json: 240,
}

/** Columns of a class: the key first, then its fields, at last when objects were written. */
export function columnsOf(bucket: string, classes: readonly ClassInfo[]): Column[] {
  const fields = fieldsOf(bucket, classes).map(({ name, type, flags }) => {
    const kind = kindOf(type, classes)
    const isEditable = flags?.includes('READONLY') !== true
    return { path: name, kind, type: nameOf(type), isEditable, width: WIDTHS[kind] }
  })
  return [
    { path: 'id', kind: 'reference', type: bucket, isEditable: false, width: 180 },
    ...fields,
    { path: 'updatedAt', kind: 'dateTime', type: 'DateTime', isEditable: false, width: WIDTHS.dateTime },
  ]
}
