import {
  useLayoutEffect,
  useRef,
  useState,
  type Dispatch,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  type SetStateAction,
} from 'react'
import { go } from '../app/route'
import { editableText } from '../server/values'
import type { Column } from './columns'
import { moved, type Position } from './moves'
import type { Toggle } from './ObjectGrid'
import type { Row } from './rows'

interface GridKeysOptions {
  readonly grid: RefObject<HTMLElement | null>
  readonly rows: number
  readonly editing: Editing | undefined
  readonly setEditing: Dispatch<SetStateAction<Editing | undefined>>
  readonly columns: readonly Column[]
  readonly row: (index: number) => Row | undefined
  /** The address of an object by its id. */
  readonly hrefOf: (id: string) => string
  readonly scrollTo: (index: number) => void
  readonly toggle: Toggle
}

/** What is being edited: the field, the object as it was when that began, and what was typed until now. */
export interface Editing {
  readonly path: string
  readonly row: Row
  readonly text: string | null
}

/** Where the keyboard is in the table, and what it does there. Column 0 is that of the boxes. */
export interface GridKeys {
  readonly isActive: (row: number, column: number) => boolean
  readonly activate: (row: number, column: number) => void
  readonly editing: Editing | undefined
  readonly edit: (row: number, column: Column) => void
  readonly setText: (text: string | null) => void
  readonly endEditing: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onFocus: () => void
  readonly onBlur: (event: FocusEvent) => void
}

/** One cell of the table can be reached by Tab; arrow keys move it (the grid pattern of ARIA). */
export function useGridKeys(options: GridKeysOptions): GridKeys {
  const { grid, rows, editing, setEditing, columns, row, hrefOf, scrollTo, toggle } = options
  const [active, setActive] = useState<Position>({ row: 0, column: 1 })
  /** The cell may not be there yet: it is when it has been scrolled to. */
  const wantsFocus = useRef(false)
  /** Whether the focus was in the table: if its cell goes, or is made anew with its object, the focus stays. */
  const hasFocus = useRef(false)
  useLayoutEffect(() => {
    const isLost = hasFocus.current && document.activeElement === document.body
    if (!wantsFocus.current && !isLost) return
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)
    if (cell) {
      // nobody asked for a place that was only lost
      cell.focus({ preventScroll: !wantsFocus.current })
      wantsFocus.current = false
    }
  })
  const edit = (index: number, column: Column) => {
    const object = row(index)
    if (object === undefined) return
    if (column.kind === 'json' || column.path === 'id') {
      go(hrefOf(object.id))
    } else if (column.isEditable) {
      setEditing({ path: column.path, row: object, text: editableText(object[column.path], column.kind) })
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // rows move in a live table, and the cell with the focus moves with its row
    const active = positionOf(event.target)
    if (active === undefined) return
    const size = { rows, columns: columns.length + 1 }
    const next = moved(active, event.key, event.ctrlKey || event.metaKey, size)
    if (next !== undefined) {
      event.preventDefault()
      wantsFocus.current = true
      setActive(next)
      scrollTo(next.row)
      return
    }
    const column = columns[active.column - 1]
    const object = row(active.row)
    if (
      (event.key === 'Enter' || event.key === 'F2') &&
      column &&
      !(event.target instanceof HTMLAnchorElement)
    ) {
      event.preventDefault()
      edit(active.row, column)
    } else if (event.key === ' ' && object && active.column > 0) {
      event.preventDefault()
      toggle(active.row, object, event.shiftKey)
    }
  }
  return {
    isActive: (r, c) => active.row === r && active.column === c,
    activate: (r, c) => setActive({ row: r, column: c }),
    editing,
    edit,
    setText: (text) => setEditing((before) => before && { ...before, text }),
    endEditing: () => {
      wantsFocus.current = grid.current?.contains(document.activeElement) === true
      setEditing(undefined)
    },
    onKeyDown,
    onFocus: () => {
      hasFocus.current = true
    },
    onBlur: ({ currentTarget, relatedTarget }) => {
      hasFocus.current = currentTarget.contains(relatedTarget)
    },
  }
}

/** The cell that an element is in; undefined if it is in none. */
function positionOf(target: EventTarget): Position | undefined {
  const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-cell]') : null
  const [row, column] = cell?.dataset['cell']?.split(':').map(Number) ?? []
  return row === undefined || column === undefined ? undefined : { row, column }
}
