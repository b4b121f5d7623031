import { formatValue, isRounded, keyIn } from '../server/values'
import type { Column } from './columns'
import { ReferenceLink } from './ReferenceLink'
import type { Row } from './rows'

interface CellProps {
  readonly row: Row
  readonly column: Column
  /** The address of an object by its id. */
  readonly hrefOf: (id: string) => string
  /** Whether the cell is where the keyboard is; links in other cells are left out by Tab. */
  readonly isActive: boolean
}

/** Longer texts are cut; the object itself shows all. */
const LONGEST = 200

/** A value as its type is best read. */
export function Cell({ row, column, hrefOf, isActive }: CellProps) {
  const value = row[column.path]
  if (value === null || value === undefined) {
    return <span className="unset">–</span>
  }
  if (column.kind === 'reference' && typeof value === 'string') {
    return column.path === 'id' ? (
      <OwnLink id={value} href={hrefOf(value)} isActive={isActive} />
    ) : (
      <ReferenceLink id={value} href={hrefOf(value)} isActive={isActive} />
    )
  }
  if (column.kind === 'json') {
    return (
      <a className="json" href={hrefOf(row.id)} tabIndex={isActive ? 0 : -1}>
        {formatValue(value, column.kind).slice(0, LONGEST)}
      </a>
    )
  }
  if (column.kind === 'integer' && isRounded(value)) {
    return (
      <span title="Rounded: a browser does not know all digits of integers beyond 2^53">
        ≈ {String(value)}
      </span>
    )
  }
  const text = formatValue(value, column.kind).slice(0, LONGEST)
  return column.kind === 'boolean' ? <span className={`yes-no ${text}`}>{text}</span> : <span>{text}</span>
}

interface OwnLinkProps {
  readonly id: string
  readonly href: string
  readonly isActive: boolean
}

/** To the object itself, of which the table shows enough. */
function OwnLink({ id, href, isActive }: OwnLinkProps) {
  return (
    <a href={href} tabIndex={isActive ? 0 : -1} title={id}>
      {keyIn(id)}
    </a>
  )
}
