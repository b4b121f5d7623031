import type { Row } from './rows'

/** Ids of selected objects, each with the version in which somebody saw it: only that may be deleted. */
export type Selection = ReadonlyMap<string, number>

export const NOTHING_SELECTED: Selection = new Map()

type Versioned = Pick<Row, 'id' | 'version'>

/** With one object more or less. */
export function toggled(selection: Selection, { id, version }: Versioned): Selection {
  return selection.has(id) ? without(selection, [id]) : new Map([...selection, [id, version]])
}

/** With all of these. */
export function including(selection: Selection, rows: readonly Versioned[]): Selection {
  return new Map([...selection, ...rows.map(({ id, version }) => [id, version] as const)])
}

/** Without these. */
export function without(selection: Selection, ids: Iterable<string>): Selection {
  const next = new Map(selection)
  for (const id of ids) next.delete(id)
  return next
}

/** With an object as it is now, if it is one of the selected ones. */
export function updated(selection: Selection, { id, version }: Versioned): Selection {
  return selection.has(id) ? new Map(selection).set(id, version) : selection
}

/** Only what is among these, each as it is there; the same selection if it is so already. */
export function following(selection: Selection, rows: readonly Versioned[]): Selection {
  const kept = new Map(rows.filter(({ id }) => selection.has(id)).map(({ id, version }) => [id, version]))
  const isSame = kept.size === selection.size && [...kept].every(([id, v]) => selection.get(id) === v)
  return isSame ? selection : kept
}
