import { expect, it } from 'vitest'
import { rangeOf, ratesOf, shadeOf, type LiveList, type LiveQuery } from '../src/live/queries'

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
  return { now, total: queries.length, subscribers: 1, grid: { columns: 1, queriesByRow: [1] }, queries }
}

it('tells rates from one answer to the next', () => {
  const rates = ratesOf(list(10_000, query('a', 100)), list(15_000, query('a', 150)))

  expect(rates.get('a')).toBe(10)
})

it('tells the rate of a new query since it was begun', () => {
  expect(ratesOf(undefined, list(10_000, query('a', 20))).get('a')).toBe(2)
  expect(ratesOf(list(8_000), list(10_000, query('a', 20, 9_900))).get('a')).toBe(20)
})

it('shades rows by the fullest', () => {
  expect([0, 1, 50, 100].map((count) => shadeOf(count, 100))).toEqual([0, 1, 2, 4])
  expect(shadeOf(0, 0)).toBe(0)
})

it('counts the places of a window from one', () => {
  const window = { order: '{}', start: 10, count: 5, held: 0, slack: 0, renewals: 0 }

  expect(rangeOf(window)).toBe('11 to 15')
  expect(rangeOf({ ...window, count: 0 })).toBe('nothing')
})
