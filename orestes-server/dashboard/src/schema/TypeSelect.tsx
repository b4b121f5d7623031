import { useId } from 'react'
import { useAdmin } from '../app/session'
import { bucketsOf, FIELD_TYPES, shortType } from '../server/schema'

interface TypeSelectProps {
  /** Such as `/db/String`. */
  readonly type: string
  readonly choose: (type: string) => void
}

/** The types that a field may have, and the one that it has. */
export function TypeSelect({ type, choose }: TypeSelectProps) {
  const { classes } = useAdmin()
  const id = useId()
  const references = bucketsOf(classes).map((each) => `/db/${each.name}`)
  const embedded = classes.filter((each) => each.embedded === true).map((each) => `/db/${each.name}`)
  const values = FIELD_TYPES.map((each) => `/db/${each}`)
  const lists = ['/db/String', '/db/Integer', '/db/Double', ...references].map(
    (each) => `/db/collection.List[${each}]`,
  )
  const isOther = ![...values, ...references, ...embedded, ...lists].includes(type)
  return (
    <label className="stack" htmlFor={id}>
      Type
      <select id={id} value={type} onChange={(event) => choose(event.target.value)}>
        {isOther && option(type)}
        <optgroup label="Values">{values.map(option)}</optgroup>
        <optgroup label="References">{references.map(option)}</optgroup>
        {embedded.length > 0 && <optgroup label="Embedded">{embedded.map(option)}</optgroup>}
        <optgroup label="Lists">{lists.map(option)}</optgroup>
      </select>
    </label>
  )
}

function option(type: string) {
  return (
    <option key={type} value={type}>
      {shortType(type)}
    </option>
  )
}
