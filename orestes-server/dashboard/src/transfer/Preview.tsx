import { formatValue } from '../server/values'
import { isBad, type ImportRow } from './rowReaders'

/** The first rows of a file, as they would be imported. */
export interface PreviewOf {
  readonly rows: readonly ImportRow[]
  readonly leftOut: readonly string[]
}

/** Longer values are cut. */
const LONGEST = 60

/** How the first rows are understood. */
export function Preview({ preview: { rows, leftOut } }: { readonly preview: PreviewOf }) {
  const objects = rows.map((row) => (isBad(row) ? {} : (JSON.parse(row.json) as Record<string, unknown>)))
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
                  names.map((name) => <td key={name}>{shown(objects[i]?.[name], name)}</td>)
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** An id that is empty is yet to be made up. */
function shown(value: unknown, name: string): string {
  if (name === 'id' && value === '') return 'new'
  const text = formatValue(value, typeof value === 'object' ? 'json' : 'text')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text
}
