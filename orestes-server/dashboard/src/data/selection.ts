import type { Row } from './rows'

/** Ids of objects, each with the version in which somebody saw it: only that may be deleted. */
export type Versions = ReadonlyMap<string, number>

/** What is selected: some objects, or all that match the filter of the table but for a few. */
export type Selection =
  | { readonly isAll: false; readonly versions: Versions }
  | { readonly isAll: true; readonly except: ReadonlySet<string> }

export const NOTHING_SELECTED: Selection = { isAll: false, versions: new Map() }

export const ALL_SELECTED: Selection = { isAll: true, except: new Set() }

type Versioned = Pick<Row, 'id' | 'version'>

export function isSelected(selection: Selection, id: string): boolean {
  return selection.isAll ? !selection.except.has(id) : selection.versions.has(id)
}

export function isEmpty(selection: Selection): boolean {
  return !selection.isAll && selection.versions.size === 0
}

/** How many objects of all are not selected. */
export function leftOut(selection: Selection): number {
  return selection.isAll ? selection.except.size : 0
}

/** With one object more or less. */
export function toggled(selection: Selection, { id, version }: Versioned): Selection {
  if (isSelected(selection, id)) {
    return selection.isAll
      ? { isAll: true, except: new Set([...selection.except, id]) }
      : without(selection, [id])
  }
  return including(selection, [{ id, version }])
}

/** With all of these. */
export function including(selection: Selection, rows: readonly Versioned[]): Selection {
  if (selection.isAll) {
    const found = new Set(rows.map(({ id }) => id))
    return { isAll: true, except: new Set([...selection.except].filter((id) => !found.has(id))) }
  }
  const versions = rows.map(({ id, version }) => [id, version] as const)
  return { isAll: false, versions: new Map([...selection.versions, ...versions]) }
}

/** Without these, which are gone, or not as they were seen any more; all that match stay all that match. */
export function without(selection: Selection, ids: Iterable<string>): Selection {
  if (selection.isAll) return selection
  const versions = new Map(selection.versions)
  for (const id of ids) versions.delete(id)
  return { isAll: false, versions }
}

/** With an object as it is now, if it is one of the selected ones. */
export function updated(selection: Selection, { id, version }: Versioned): Selection {
  return !selection.isAll && selection.versions.has(id) ? including(selection, [{ id, version }]) : selection
}

/** Only what is among these, each as it is there; the same selection if it is so already. */
export function following(selection: Selection, rows: readonly Versioned[]): Selection {
  if (selection.isAll) return selection
  const before = selection.versions
  const versions = new Map(rows.filter(({ id }) => before.has(id)).map(({ id, version }) => [id, version]))
  const isSame = versions.size === before.size && [...versions].every(([id, v]) => before.get(id) === v)
  return isSame ? selection : { isAll: false, versions }
}
