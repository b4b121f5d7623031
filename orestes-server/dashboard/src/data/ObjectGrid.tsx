import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useEffect, useRef, type CSSProperties, type Dispatch, type SetStateAction } from 'react'
import { hrefOfObject, type View } from '../app/route'
import type { Column } from './columns'
import { GridHead } from './GridHead'
import { GridRow } from './GridRow'
import { PAGE_SIZE, type Row, type RowSource } from './rows'
import { including, isSelected, toggled, type Selection } from './selection'
import type { CellEdits } from './useCellEdits'
import { useGridKeys, type Editing } from './useGridKeys'

interface ObjectGridProps {
  readonly bucket: string
  readonly source: RowSource
  /** What the rows are the result of. */
  readonly query: object
  readonly columns: readonly Column[]
  readonly view: View
  readonly setSort: (sort: string) => void
  readonly selected: Selection
  readonly setSelected: Dispatch<SetStateAction<Selection>>
  readonly edits: CellEdits
  readonly editing: Editing | undefined
  readonly setEditing: Dispatch<SetStateAction<Editing | undefined>>
}

export const ROW_HEIGHT = 38
const CHECK_WIDTH = 44

/** How long rows have to be looked at before they are loaded, so that a long scroll asks for its end only. */
const SETTLED_MILLIS = 60

/** The table: only the rows in sight are in the page. Moves by arrow keys, edits by Enter, selects by Space. */
export function ObjectGrid(props: ObjectGridProps) {
  const { bucket, source, query, columns, view, setSort, selected, setSelected, edits } = props
  const { editing, setEditing } = props
  const scroller = useRef<HTMLDivElement>(null)
  const count = source.total ?? (source.row(0) === undefined ? 0 : PAGE_SIZE)
  /** The row that is edited stays in the page wherever somebody scrolls. */
  const pinned = editing && source.indexOf(editing.row.id)
  const virtual = useVirtualizer({
    count,
    rangeExtractor: (range) => withPinned(range, pinned),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    scrollPaddingStart: ROW_HEIGHT,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const inSight = items.map(({ index }) => index).filter((index) => index !== pinned)
  useRowsInSight(source, inSight[0] ?? 0, inSight.at(-1) ?? 0, pinned)
  const hrefOf = (id: string) => hrefOfObject(id, bucket, view)
  const toggle = useSelection(source, query, setSelected)
  const keys = useGridKeys({
    grid: scroller,
    rows: count,
    editing,
    setEditing,
    columns,
    row: (index) => source.row(index),
    hrefOf,
    scrollTo: (index) => virtual.scrollToIndex(index),
    toggle,
  })
  const layout: CSSProperties = {
    gridTemplateColumns: [CHECK_WIDTH, ...columns.map(({ width }) => width)].map((w) => `${w}px`).join(' '),
    width: columns.reduce((sum, { width }) => sum + width, CHECK_WIDTH),
  }
  const rowKeys = keysOf(
    items.map(({ index }) => index),
    source,
  )
  return (
    <div
      className="grid"
      role="grid"
      aria-label={`Objects of ${bucket}`}
      aria-rowcount={count + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      ref={scroller}
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
      onBlur={keys.onBlur}
    >
      <GridHead
        columns={columns}
        layout={layout}
        sort={view.sort}
        setSort={setSort}
        selected={selected}
        setSelected={setSelected}
      />
      <div
        role="rowgroup"
        className="grid-body"
        style={{ height: virtual.getTotalSize(), width: layout.width }}
      >
        {items.map(({ index, start }, i) => (
          <GridRow
            key={rowKeys[i]}
            index={index}
            row={source.row(index)}
            columns={columns}
            hrefOf={hrefOf}
            style={{ ...layout, transform: `translateY(${start}px)`, height: ROW_HEIGHT }}
            isSelected={isSelected(selected, source.row(index)?.id ?? '')}
            keys={keys}
            edits={edits}
            toggle={toggle}
          />
        ))}
      </div>
    </div>
  )
}

/** Rows are known by their objects, so that they move in the page as they do in the result; by their places until they are loaded. */
function keysOf(indexes: readonly number[], source: RowSource): string[] {
  const seen = new Set<string>()
  return indexes.map((index) => {
    // pages of different states may have an object in common
    const id = source.row(index)?.id
    const key = id === undefined || seen.has(id) ? `#${index}` : id
    seen.add(key)
    return key
  })
}

/** The rows in sight, and one more. */
function withPinned(range: Range, pinned: number | undefined): number[] {
  const inSight = defaultRangeExtractor(range)
  return pinned === undefined || inSight.includes(pinned) || pinned >= range.count
    ? inSight
    : [...inSight, pinned].sort((a, b) => a - b)
}

/** Has the rows loaded that stay in sight, and one kept wherever it is. */
function useRowsInSight(source: RowSource, first: number, last: number, kept: number | undefined): void {
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      source.show(first, last, kept)
      return undefined
    }
    const timer = setTimeout(() => source.show(first, last, kept), SETTLED_MILLIS)
    return () => clearTimeout(timer)
  }, [source, first, last, kept])
}

/** Selects a row or not; with `isRange` all that are loaded between it and the one before. */
export type Toggle = (index: number, row: Row, isRange: boolean) => void

function useSelection(
  source: RowSource,
  query: object,
  setSelected: Dispatch<SetStateAction<Selection>>,
): Toggle {
  /** The object, as others may have come before it since; and where it was, as its page may have gone. */
  const anchor = useRef<{ readonly id: string; readonly index: number }>(undefined)
  useEffect(() => {
    anchor.current = undefined
  }, [query])
  return (index, row, isRange) => {
    const before = anchor.current
    const from = before && (source.indexOf(before.id) ?? before.index)
    anchor.current = { id: row.id, index }
    if (!isRange || from === undefined) {
      setSelected((before) => toggled(before, row))
      return
    }
    const [first, last] = [Math.min(from, index), Math.max(from, index)]
    const range = Array.from({ length: last - first + 1 }, (_, i) => source.row(first + i))
    const loaded = range.filter((each) => each !== undefined)
    setSelected((before) => including(before, loaded))
  }
}
