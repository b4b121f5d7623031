import { shadeOf, type Grid } from './queries'

/** How the queries lie on the cells of the grid. */
export function GridMap({ grid: { columns, queriesByRow } }: { readonly grid: Grid }) {
  const most = Math.max(0, ...queriesByRow)
  return (
    <section className="card" aria-labelledby="grid">
      <h2 id="grid">Grid</h2>
      <p className="quiet">
        Each row of cells holds a share of the queries, those behind cached results among them, and each
        column a share of the objects. A write meets the cells of one column.
      </p>
      <div className="scrolls" tabIndex={0} role="region" aria-label="Queries in each cell">
        <table className="heat">
          <caption className="only-spoken">Queries in each cell</caption>
          <thead>
            <tr>
              <td />
              {numbers(columns).map((column) => (
                <th scope="col" className="number" key={column}>
                  Objects {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {queriesByRow.map((queries, row) => (
              <tr key={row}>
                <th scope="row">Queries {row + 1}</th>
                {numbers(columns).map((column) => (
                  <td className={`number shade-${shadeOf(queries, most)}`} key={column}>
                    {queries.toLocaleString('en')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => i + 1)
}
