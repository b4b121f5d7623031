import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Problem } from '../ui/Problem'
import type { Column } from './columns'
import { ConditionRow } from './ConditionRow'
import { filterIn, toFilter, type Condition } from './filter'
import { RawFilter } from './RawFilter'

interface FilterPanelProps {
  readonly bucket: string
  readonly columns: readonly Column[]
  /** The filter that is in force, as JSON text; empty for none. */
  readonly filter: string
  readonly apply: (filter: string) => void
}

/** Chooses objects: by conditions on fields, or by a MongoDB filter as it is. */
export function FilterPanel({ bucket, columns, filter, apply }: FilterPanelProps) {
  const [isRaw, setRaw] = useState(filter !== '')
  const [raw, setRawText] = useState(filter)
  const [conditions, setConditions] = useState<readonly Condition[]>([emptyCondition(columns)])
  const [problem, setProblem] = useState('')
  // the panel stays where it is, and with it the focus
  const shown = useRef(filter)
  useEffect(() => {
    if (shown.current === filter) return
    shown.current = filter
    setRawText(filter)
    setRaw(filter !== '')
    setProblem('')
  }, [filter])
  const applyButton = useRef<HTMLButtonElement>(null)
  const showAll = () => {
    // its own button goes
    applyButton.current?.focus()
    apply('')
  }
  const attempt = (work: () => void) => {
    try {
      setProblem('')
      work()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attempt(() => {
      const next = isRaw ? raw.trim() : toFilter(conditions, columns)
      filterIn(next)
      apply(next)
    })
  }
  const toggleRaw = () =>
    attempt(() => {
      const filledIn = conditions.filter(isFilledIn)
      if (!isRaw && filledIn.length > 0) setRawText(toFilter(filledIn, columns))
      setRaw(!isRaw)
    })
  return (
    <form className="filter card" aria-label="Filter" onSubmit={submit}>
      {isRaw ? (
        <RawFilter bucket={bucket} value={raw} change={setRawText} isInvalid={problem !== ''} />
      ) : (
        conditions.map((condition, i) => (
          <ConditionRow
            key={i}
            number={i + 1}
            columns={columns}
            condition={condition}
            change={(next) => setConditions(conditions.map((each, j) => (j === i ? next : each)))}
            remove={
              conditions.length > 1 ? () => setConditions(conditions.filter((_, j) => j !== i)) : undefined
            }
          />
        ))
      )}
      <Problem text={problem} />
      <div className="actions">
        <button className="button small primary" ref={applyButton}>
          Apply
        </button>
        {!isRaw && (
          <button
            type="button"
            className="button small"
            onClick={() => setConditions([...conditions, emptyCondition(columns)])}
          >
            Add condition
          </button>
        )}
        <button type="button" className="button small" onClick={toggleRaw}>
          {isRaw ? 'Use the builder' : 'Edit as MongoDB filter'}
        </button>
        {filter !== '' && (
          <button type="button" className="button small" onClick={showAll}>
            Show all objects
          </button>
        )}
      </div>
    </form>
  )
}

/** The first field of the class is where most people begin; the key comes before it. */
function emptyCondition(columns: readonly Column[]): Condition {
  return { path: (columns[1] ?? columns[0])?.path ?? 'id', operator: 'equals', value: '' }
}

function isFilledIn({ operator, value }: Condition): boolean {
  return value !== '' || operator === 'isSet' || operator === 'isUnset'
}
