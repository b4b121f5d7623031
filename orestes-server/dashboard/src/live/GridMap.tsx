import { useState } from 'react'
import { legendOf, rateText, shadeOf, writesByColumn, type CellRates } from './grid'
import type { Grid } from './queries'

/** What a cell is shown by. */
const MEASURES = {
  evaluations: 'filters tried',
  events: 'results changed',
} as const

type Measure = keyof typeof MEASURES

interface GridMapProps {
  readonly grid: Grid
  /** Undefined until it is known what happens in a second. */
  readonly rates: CellRates | undefined
}

/** How queries and writes lie on the cells of the grid, and where the work is. */
export function GridMap({ grid, rates }: GridMapProps) {
  const [measure, setMeasure] = useState<Measure>('evaluations')
  const most = Math.max(0, ...(rates ?? []).flatMap((row) => row.map((cell) => cell[measure])))
  return (
    <section className="card" aria-labelledby="grid">
      <h2 id="grid">Grid</h2>
      <p className="quiet">
        Each row of cells holds a share of the queries, those behind cached results among them, and each
        column a share of the objects. A write meets the cells of one column. A row of strong colour has
        queries that many writes are tried against, a column of it objects that are written often.
      </p>
      <label className="stack narrow">
        In each cell, per second
        <select value={measure} onChange={(event) => setMeasure(event.target.value as Measure)}>
          {Object.entries(MEASURES).map(([value, name]) => (
            <option value={value} key={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div className="scrolls" tabIndex={0} role="region" aria-labelledby="grid-caption">
        <table className="heat">
          <caption className="only-spoken" id="grid-caption">
            Cells of the grid: {MEASURES[measure]} per second
          </caption>
          <Columns grid={grid} rates={rates} />
          <tbody>
            {grid.queriesByRow.map((queries, row) => (
              <tr key={row}>
                <th scope="row">
                  Queries {row + 1}
                  <span className="quiet">{queries.toLocaleString('en')} held</span>
                </th>
                {grid.cells[row]?.map((_, column) => (
                  <Cell value={rates?.[row]?.[column]?.[measure]} most={most} key={column} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Legend measure={MEASURES[measure]} most={most} />
    </section>
  )
}

function Columns({ grid, rates }: GridMapProps) {
  const writes = rates && writesByColumn(rates)
  return (
    <thead>
      <tr>
        <td />
        {grid.cells[0]?.map((_, column) => (
          <th scope="col" className="number" key={column}>
            Objects {column + 1}
            <span className="quiet">{rateOrNot(writes?.[column])} writes/s</span>
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Cell({ value, most }: { readonly value: number | undefined; readonly most: number }) {
  return <td className={`number shade-${shadeOf(value ?? 0, most)}`}>{rateOrNot(value)}</td>
}

function rateOrNot(rate: number | undefined): string {
  return rate === undefined ? '…' : rateText(rate)
}

/** Which colour stands for what; the numbers say it, too. */
function Legend({ measure, most }: { readonly measure: string; readonly most: number }) {
  return (
    <ul className="legend" aria-label={`Colours, ${measure} per second`}>
      {legendOf(most).map((range, shade) => (
        <li key={shade}>
          <span className={`swatch shade-${shade}`} aria-hidden="true" />
          {range}
        </li>
      ))}
    </ul>
  )
}
