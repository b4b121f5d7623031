import type { CSSProperties } from 'react'
import { shortType } from '../server/schema'
import type { Column } from './columns'
import { nextSort, sortIn } from './query'

interface GridHeadProps {
  readonly columns: readonly Column[]
  readonly layout: CSSProperties
  readonly sort: string
  readonly setSort: (sort: string) => void
}

/** Names of the columns, by which the table is ordered. */
export function GridHead({ columns, layout, sort, setSort }: GridHeadProps) {
  const { path, direction } = sortIn(sort)
  const current = path === '' ? 'id' : path
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" aria-rowindex={1} className="grid-row" style={layout}>
        <div role="columnheader" aria-colindex={1}>
          <span className="only-spoken">Selected</span>
        </div>
        {columns.map((column, i) => (
          <div
            key={column.path}
            role="columnheader"
            aria-colindex={i + 2}
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

function Name({ column: { path, type } }: { readonly column: Column }) {
  return (
    <span className="column-name">
      {path} <span className="quiet">{path === 'id' ? '' : shortType(type)}</span>
    </span>
  )
}
