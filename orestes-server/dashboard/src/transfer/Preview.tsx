import { formatValue } from '../server/values'
import type { Delimiter } from './csv'
import { isBad, type GoodRow, type ImportRow } from './rowReaders'

/** The first rows of a file, as they would be imported. */
export interface PreviewOf {
  readonly rows: readonly ImportRow[]
  readonly leftOut: readonly string[]
  /** Undefined where there is none. */
  readonly delimiter: Delimiter | undefined
}

/** Longer values are cut. */
const LONGEST = 60

/** How the first rows are understood. */
export function Preview({ preview: { rows, leftOut } }: { readonly preview: PreviewOf }) {
  const objects = rows.map((row) => (isBad(row) ? {} : shownOf(row)))
  const names = [...new Set(objects.flatMap(Object.keys))]
  if (rows.length === 0) {
    return <p>There is no object in this file.</p>
  }
  return (
    <>
      {leftOut.length > 0 && (
        <p className="problem">The class has no {leftOut.join(', ')}: these columns are left out.</p>
      )}
      <div className="scrolls" tabIndex={0} role="group" aria-label="The first objects">
        <table>
          <caption className="quiet">The first objects, as they are understood</caption>
          <thead>
            <tr>
              <th scope="col">Row</th>
              {names.map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={row.number}>
                <td>{row.number}</td>
                {isBad(row) ? (
                  <td colSpan={Math.max(1, names.length)} className="problem">
                    {row.problem}
                  </td>
                ) : (
                  names.map((name) => <td key={name}>{shown(objects[i]?.[name])}</td>)
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** An id that is made up says nothing. */
function shownOf({ json, isNamed }: GoodRow): Record<string, unknown> {
  const object = JSON.parse(json) as Record<string, unknown>
  return isNamed ? object : { ...object, id: 'new' }
}

function shown(value: unknown): string {
  const text = formatValue(value, typeof value === 'object' ? 'json' : 'text')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text
}
