import { useEffect, useRef, type CSSProperties } from 'react'
import { shortType } from '../server/schema'
import type { Column } from './columns'
import { nextSort, sortIn } from './query'
import { ALL_SELECTED, isEmpty, leftOut, NOTHING_SELECTED, type Selection } from './selection'

interface GridHeadProps {
  readonly columns: readonly Column[]
  readonly layout: CSSProperties
  readonly sort: string
  readonly setSort: (sort: string) => void
  readonly selected: Selection
  readonly setSelected: (selected: Selection) => void
}

/** Names of the columns, by which the table is ordered, and a box that selects all that is in it. */
export function GridHead({ columns, layout, sort, setSort, selected, setSelected }: GridHeadProps) {
  const { path, direction } = sortIn(sort)
  const current = path === '' ? 'id' : path
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" aria-rowindex={1} className="grid-row" style={layout}>
        <div role="columnheader" aria-colindex={1} className="check-cell">
          <SelectAll selected={selected} setSelected={setSelected} />
        </div>
        {columns.map((column, i) => (
          <div
            key={column.path}
            role="columnheader"
            aria-colindex={i + 2}
            data-kind={column.kind}
            aria-sort={column.path !== current ? undefined : direction === 1 ? 'ascending' : 'descending'}
          >
            {column.kind === 'json' ? (
              <Name column={column} />
            ) : (
              <button type="button" onClick={() => setSort(nextSort(sort, column.path))}>
                <Name column={column} />
                {column.path === current && <span aria-hidden="true">{direction === 1 ? '▲' : '▼'}</span>}
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Selects all objects that match the filter, also those that are not loaded. */
function SelectAll({ selected, setSelected }: Pick<GridHeadProps, 'selected' | 'setSelected'>) {
  const box = useRef<HTMLInputElement>(null)
  const isAll = selected.isAll && leftOut(selected) === 0
  const isSome = !isAll && !isEmpty(selected)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome
  }, [isSome])
  return (
    <input
      type="checkbox"
      aria-label="Select all"
      ref={box}
      checked={isAll}
      onChange={() => setSelected(isAll ? NOTHING_SELECTED : ALL_SELECTED)}
    />
  )
}

function Name({ column: { path, type } }: { readonly column: Column }) {
  return (
    <span className="column-name">
      {path} <span className="quiet">{path === 'id' ? '' : shortType(type)}</span>
    </span>
  )
}
