import type { CellCounts, LiveList } from './queries'

/** What cells do in a second, row by row. */
export type CellRates = readonly (readonly CellCounts[])[]

/** Of each cell, from one answer to the next; undefined if that cannot be told. A cell that was started meanwhile counts from zero. */
export function cellRatesOf(before: LiveList | undefined, { now, grid }: LiveList): CellRates | undefined {
  if (before === undefined || now <= before.now) return undefined
  const seconds = (now - before.now) / 1000
  return grid.cells.map((row, r) =>
    row.map((cell, c) => {
      const earlier = before.grid.cells[r]?.[c]
      const isSame = earlier !== undefined && earlier.writes <= cell.writes
      const rate = (of: keyof CellCounts) => (cell[of] - (isSame ? earlier[of] : 0)) / seconds
      return { writes: rate('writes'), evaluations: rate('evaluations'), events: rate('events') }
    }),
  )
}

/** Writes in a second that go to each column; its cells hear of one at different moments. */
export function writesByColumn(rates: CellRates): readonly number[] {
  return (rates[0] ?? []).map((_, c) => Math.max(...rates.map((row) => row[c]?.writes ?? 0)))
}

/** Steps of colour above the one for nothing. */
export const SHADES = 4

/** How dark a value is shown: from 0 for nothing to the darkest for as much as any has. */
export function shadeOf(value: number, most: number): number {
  return most === 0 ? 0 : Math.ceil((value * SHADES) / most)
}

/** What each shade stands for, in words, the lightest first. */
export function legendOf(most: number): readonly string[] {
  const bounds = most === 0 ? [] : Array.from({ length: SHADES }, (_, i) => (most * (i + 1)) / SHADES)
  return ['none', ...bounds.map((bound) => `up to ${rateText(bound)}`)]
}

/** So many in a second. */
export function rateText(rate: number): string {
  return rate.toLocaleString('en', { maximumFractionDigits: rate < 10 ? 1 : 0 })
}
