import { useEffect, useRef } from 'react'
import { shortType } from '../server/schema'
import { choiceOf, moved, switched, type Column } from './columns'

const MOVES = [
  [-1, 'left', '←'],
  [1, 'right', '→'],
] as const

interface ColumnsPanelProps {
  readonly all: readonly Column[]
  readonly shown: readonly Column[]
  /** Takes a choice as {@link choiceOf} writes it. */
  readonly choose: (columns: string) => void
}

/** Which columns the table has, and in which order; the key is always the first. */
export function ColumnsPanel({ all, shown, choose }: ColumnsPanelProps) {
  const take = (next: readonly Column[]) => choose(choiceOf(next, all))
  const panel = useRef<HTMLElement>(null)
  /** The button that moves a column again: the focus leaves it when it is moved itself. */
  const pressed = useRef<string>(undefined)
  useEffect(() => {
    if (pressed.current !== undefined && document.activeElement === document.body) {
      panel.current?.querySelector<HTMLElement>(`[data-move="${CSS.escape(pressed.current)}"]`)?.focus()
    }
    pressed.current = undefined
  }, [shown])
  const move = (path: string, by: -1 | 1) => {
    pressed.current = `${path}:${by}`
    take(moved(shown, path, by))
  }
  const fields = shown.slice(1)
  const hidden = all.filter((each) => !shown.includes(each))
  return (
    <section className="saved-views card" aria-label="Columns" ref={panel}>
      <ul className="rows">
        {[...fields, ...hidden].map((column) => {
          const place = fields.indexOf(column)
          return (
            <li key={column.path}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={place >= 0}
                  onChange={(event) => take(switched(shown, column, event.target.checked))}
                />
                <span>
                  {column.path} <span className="quiet">{shortType(column.type)}</span>
                </span>
              </label>
              {place >= 0 && (
                <span className="actions">
                  {MOVES.map(([by, where, sign]) => (
                    <button
                      type="button"
                      className="button small"
                      key={by}
                      data-move={`${column.path}:${by}`}
                      aria-label={`Move ${column.path} ${where}`}
                      aria-disabled={place + by < 0 || place + by >= fields.length}
                      onClick={() => move(column.path, by)}
                    >
                      {sign}
                    </button>
                  ))}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      <footer>
        <button type="button" className="button small" onClick={() => choose('')}>
          All columns
        </button>
      </footer>
    </section>
  )
}
