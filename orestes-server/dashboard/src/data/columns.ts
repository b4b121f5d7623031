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

/** Always shown, as it leads to the object. */
const KEY = 'id'

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

/**
The columns that are shown, in order: the key, and then those that are chosen.

@param text paths separated by commas; empty for all. Those that are no columns (any more) are left out
*/
export function chosenIn(text: string, all: readonly Column[]): readonly Column[] {
  if (text === '') return all
  const chosen = [...new Set(text.split(','))]
    .filter((path) => path !== KEY)
    .flatMap((path) => all.find((each) => each.path === path) ?? [])
  return [...all.filter(({ path }) => path === KEY), ...chosen]
}

/** The same as a text; empty if these are all in their usual order. */
export function choiceOf(shown: readonly Column[], all: readonly Column[]): string {
  const isUsual = shown.length === all.length && shown.every((each, i) => each.path === all[i]?.path)
  return isUsual ? '' : shown.map(({ path }) => path).join(',')
}

/** The columns with one of them before, or behind, its neighbour; the key stays first. */
export function moved(shown: readonly Column[], path: string, by: -1 | 1): readonly Column[] {
  const at = shown.findIndex((each) => each.path === path)
  const [column, neighbour] = [shown[at], shown[at + by]]
  if (column === undefined || neighbour === undefined || neighbour.path === KEY) return shown
  const next = [...shown]
  next[at] = neighbour
  next[at + by] = column
  return next
}

/** The columns with one of them shown at last, or not shown. */
export function switched(shown: readonly Column[], column: Column, isShown: boolean): readonly Column[] {
  const others = shown.filter(({ path }) => path !== column.path)
  return isShown ? [...others, column] : others
}
