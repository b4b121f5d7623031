import type { CSSProperties } from 'react'
import { keyIn } from '../server/values'
import type { Column } from './columns'
import { Cell } from './Cell'
import { CellEditor } from './CellEditor'
import type { Toggle } from './ObjectGrid'
import type { Row } from './rows'
import type { CellEdits } from './useCellEdits'
import type { GridKeys } from './useGridKeys'

interface GridRowProps {
  readonly index: number
  /** Undefined as long as it is not loaded. */
  readonly row: Row | undefined
  readonly columns: readonly Column[]
  /** The address of an object by its id. */
  readonly hrefOf: (id: string) => string
  readonly style: CSSProperties
  readonly isSelected: boolean
  readonly keys: GridKeys
  readonly edits: CellEdits
  readonly toggle: Toggle
}

/** One object: a box to select it, and a cell for each column. */
export function GridRow({
  index,
  row,
  columns,
  hrefOf,
  style,
  isSelected,
  keys,
  edits,
  toggle,
}: GridRowProps) {
  return (
    <div role="row" aria-rowindex={index + 2} aria-selected={isSelected} className="grid-row" style={style}>
      <div role="gridcell" aria-colindex={1} className="check-cell">
        <input
          type="checkbox"
          aria-label={row === undefined ? 'Loading' : `Select ${keyIn(row.id)}`}
          data-cell={`${index}:0`}
          tabIndex={keys.isActive(index, 0) ? 0 : -1}
          checked={isSelected}
          disabled={row === undefined}
          onFocus={() => keys.activate(index, 0)}
          onChange={(event) => row && toggle(index, row, (event.nativeEvent as MouseEvent).shiftKey === true)}
        />
      </div>
      {columns.map((column, i) => {
        const editing = keys.editing
        const isEditing = editing?.row.id === row?.id && editing?.path === column.path
        return (
          <div
            key={column.path}
            role="gridcell"
            aria-colindex={i + 2}
            aria-readonly={!column.isEditable}
            data-cell={`${index}:${i + 1}`}
            data-kind={column.kind}
            tabIndex={keys.isActive(index, i + 1) && !isEditing ? 0 : -1}
            onFocus={(event) => event.target === event.currentTarget && keys.activate(index, i + 1)}
            onDoubleClick={() => keys.edit(index, column)}
          >
            {isEditing ? (
              <CellEditor
                column={column}
                value={editing.row[column.path]}
                text={editing.text}
                setText={keys.setText}
                save={(text) => edits.save(editing.row, column, text)}
                close={keys.endEditing}
              />
            ) : (
              row && <Cell row={row} column={column} hrefOf={hrefOf} isActive={keys.isActive(index, i + 1)} />
            )}
          </div>
        )
      })}
    </div>
  )
}
