import type { Column } from './columns'
import { operatorName, operatorsOf, takesValue, type Condition, type Operator } from './filter'

interface ConditionRowProps {
  /** Position among the conditions, from 1. */
  readonly number: number
  readonly columns: readonly Column[]
  readonly condition: Condition
  readonly change: (condition: Condition) => void
  readonly remove: (() => void) | undefined
}

/** One condition: field, operator, value. */
export function ConditionRow({ number, columns, condition, change, remove }: ConditionRowProps) {
  const { path, operator, value } = condition
  const column = columns.find((each) => each.path === path)
  const operators: readonly Operator[] = column === undefined ? [] : operatorsOf(column)
  const chooseField = (next: string) => {
    const chosen = columns.find((each) => each.path === next)
    const allowed: readonly Operator[] = chosen === undefined ? [] : operatorsOf(chosen)
    const kept = allowed.includes(operator) ? operator : (allowed[0] ?? 'isSet')
    change({ path: next, operator: kept, value })
  }
  return (
    <div className="condition" role="group" aria-label={`Condition ${number}`}>
      <select aria-label="Field" value={path} onChange={(event) => chooseField(event.target.value)}>
        {columns.map((each) => (
          <option key={each.path}>{each.path}</option>
        ))}
      </select>
      <select
        aria-label="Comparison"
        value={operator}
        onChange={(event) => change({ ...condition, operator: event.target.value as Operator })}
      >
        {operators.map((each) => (
          <option key={each} value={each}>
            {operatorName(each)}
          </option>
        ))}
      </select>
      {takesValue(operator) &&
        (column?.kind === 'boolean' ? (
          <select
            aria-label="Value"
            value={value}
            onChange={(event) => change({ ...condition, value: event.target.value })}
          >
            <option value="">choose …</option>
            <option>true</option>
            <option>false</option>
          </select>
        ) : (
          <input
            type="text"
            aria-label="Value"
            value={value}
            onChange={(event) => change({ ...condition, value: event.target.value })}
          />
        ))}
      {remove && (
        <button
          type="button"
          className="button small"
          onClick={remove}
          aria-label={`Remove condition ${number}`}
        >
          ✕
        </button>
      )}
    </div>
  )
}
