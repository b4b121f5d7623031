import { expect, it } from 'vitest'
import { atMostText, quantileOf, rangeText } from '../src/live/latency'
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
  return {
    now,
    total: queries.length,
    subscribers: 1,
    grid: { columns: 1, queriesByRow: [1] },
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

it('shades rows by the fullest', () => {
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
