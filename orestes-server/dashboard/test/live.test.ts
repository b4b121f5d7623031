import { expect, it } from 'vitest'
import { atMostText, quantileOf, rangeText } from '../src/live/latency'
import { groupText } from '../src/live/group'
import { cellRatesOf, legendOf, rateText, shadeOf, writesByColumn } from '../src/live/grid'
import { rangeOf, ratesOf, type CellCounts, type LiveList, type LiveQuery } from '../src/live/queries'

function query(id: string, events: number, since = 0): LiveQuery {
  return {
    id,
    class: 'Todo',
    kind: 'filter',
    filter: '{}',
    aggregate: null,
    window: null,
    subscribers: 1,
    events,
    since,
  }
}

function list(now: number, ...queries: LiveQuery[]): LiveList {
  return {
    now,
    total: queries.length,
    subscribers: 1,
    grid: { queriesByRow: [1], cells: [[{ writes: 0, evaluations: 0, events: 0 }]] },
    latency: [],
    queries,
  }
}

it('tells rates from one answer to the next', () => {
  const rates = ratesOf(list(10_000, query('a', 100)), list(15_000, query('a', 150)))

  expect(rates.get('a')).toBe(10)
})

it('tells the rate of a new query since it was begun', () => {
  expect(ratesOf(undefined, list(10_000, query('a', 20))).get('a')).toBe(2)
  expect(ratesOf(list(8_000), list(10_000, query('a', 20, 9_900))).get('a')).toBe(20)
})

const NOTHING: CellCounts = { writes: 0, evaluations: 0, events: 0 }

function gridList(now: number, ...cells: readonly (readonly CellCounts[])[]): LiveList {
  return { ...list(now), grid: { queriesByRow: cells.map(() => 1), cells } }
}

it('tells what each cell does in a second, from one answer to the next', () => {
  const before = gridList(1000, [NOTHING, { writes: 10, evaluations: 20, events: 5 }])
  const next = gridList(3000, [NOTHING, { writes: 20, evaluations: 60, events: 6 }])

  expect(cellRatesOf(before, next)).toEqual([[NOTHING, { writes: 5, evaluations: 20, events: 0.5 }]])
  expect(cellRatesOf(undefined, next)).toBeUndefined()
  expect(cellRatesOf(next, next)).toBeUndefined()
})

it('counts a cell that was started meanwhile from zero', () => {
  const before = gridList(1000, [{ writes: 100, evaluations: 100, events: 100 }])
  const next = gridList(2000, [{ writes: 4, evaluations: 4, events: 2 }])

  expect(cellRatesOf(before, next)).toEqual([[{ writes: 4, evaluations: 4, events: 2 }]])
})

it('tells the writes of a column by the cell that has heard of most', () => {
  const rates = [
    [
      { ...NOTHING, writes: 3 },
      { ...NOTHING, writes: 8 },
    ],
    [
      { ...NOTHING, writes: 4 },
      { ...NOTHING, writes: 7 },
    ],
  ]

  expect(writesByColumn(rates)).toEqual([4, 8])
  expect(writesByColumn([])).toEqual([])
})

it('says which server of a group is shown', () => {
  const own = { address: '10.0.0.1:4000', self: true }
  const other = { address: '10.0.0.2:4000', self: false }

  expect(groupText([own])).toBeUndefined()
  expect(groupText([own, other])).toMatch(/^Shown is 10\.0\.0\.1:4000.*another server, 10\.0\.0\.2:4000:/)
  expect(groupText([other, own, other])).toMatch(/2 other servers/)
})

it('says what each shade stands for', () => {
  expect(legendOf(1000)).toEqual(['none', 'up to 250', 'up to 500', 'up to 750', 'up to 1,000'])
  expect(legendOf(2)).toEqual(['none', 'up to 0.5', 'up to 1', 'up to 1.5', 'up to 2'])
  expect(legendOf(0)).toEqual(['none'])
  expect(rateText(1234.5)).toBe('1,235')
})

it('shades cells by the one that does most', () => {
  expect([0, 1, 50, 100].map((count) => shadeOf(count, 100))).toEqual([0, 1, 2, 4])
  expect(shadeOf(0, 0)).toBe(0)
})

it('counts the places of a window from one', () => {
  const window = { order: '{}', start: 10, count: 5, held: 0, slack: 0, renewals: 0 }

  expect(rangeOf(window)).toBe('11 to 15')
  expect(rangeOf({ ...window, count: 0 })).toBe('nothing')
})

it('finds quantiles of the latency by the bounds of buckets', () => {
  const buckets = [
    { atMostMs: 0.1, count: 5 },
    { atMostMs: 1, count: 4 },
    { atMostMs: null, count: 1 },
  ]

  expect(quantileOf(buckets, 0.5)).toBe(0.1)
  expect(quantileOf(buckets, 0.51)).toBe(1)
  expect(quantileOf(buckets, 0.9)).toBe(1)
  expect(atMostText(quantileOf(buckets, 0.9))).toBe('at most 1 ms')
  expect(atMostText(quantileOf(buckets, 0.99))).toBe('longer than was measured')
})

it('says what a bucket of the latency holds', () => {
  expect(rangeText(undefined, 0.1)).toBe('up to 0.1 ms')
  expect(rangeText(0.1, 2.5)).toBe('0.1 to 2.5 ms')
  expect(rangeText(1000, null)).toBe('more than 1,000 ms')
})
