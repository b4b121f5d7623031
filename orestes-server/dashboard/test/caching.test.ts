import { expect, it } from 'vitest'
import { hitRateOf, ratesOf, withSample, type Sample } from '../src/caching/reads'
import { sourcesOf } from '../src/caching/sources'
import type { CachingState, Entry, FilterState, SharedCache } from '../src/caching/state'
import { filterWarning, holding, ratioRange, staleness } from '../src/caching/words'
import { bytes, left, percent } from '../src/server/quantities'

const NOW = 1_000_000

function sample(at: number, memory: number): Sample {
  return { at, reads: { unchanged: 0, memory, store: 0, bypass: 0 } }
}

it('tells rates from one sample to the next', () => {
  expect(
    ratesOf([sample(0, 10), sample(5000, 60), sample(7000, 60)]).map(({ reads }) => reads.memory),
  ).toEqual([10, 0])
  expect(ratesOf([sample(0, 10)])).toEqual([])
})

it('begins anew when a server was started anew, and takes no moment twice', () => {
  const before = [sample(0, 10), sample(5000, 60)]

  expect(withSample(before, sample(9000, 5))).toEqual([sample(9000, 5)])
  expect(withSample(before, sample(5000, 60))).toBe(before)
  expect(withSample(before, sample(9000, 61))).toHaveLength(3)
})

it('keeps as many samples as a chart shows', () => {
  let samples: readonly Sample[] = []
  for (let i = 0; i < 200; i++) samples = withSample(samples, sample(i, i))

  expect(samples).toHaveLength(120)
  expect(samples.at(-1)?.at).toBe(199)
})

it('knows no hit rate before the first read', () => {
  const none = { full: 0, unchanged: 0 }

  expect(hitRateOf({ hit: none, miss: none, bypass: none })).toBeUndefined()
  expect(hitRateOf({ hit: { full: 2, unchanged: 1 }, miss: { full: 1, unchanged: 0 }, bypass: none })).toBe(
    0.75,
  )
})

function stateWith(...shared: readonly SharedCache[]): CachingState {
  const none = { full: 0, unchanged: 0 }
  const reads = { hit: { full: 6, unchanged: 2 }, miss: { full: 1, unchanged: 1 }, bypass: none }
  return { reads, shared } as unknown as CachingState
}

it('tells what was answered where, and of what that is a share', () => {
  const counts = { hits: 90, misses: 10, passed: 1234, sinceMs: 1000 }
  const sources = sourcesOf(stateWith({ name: 'varnish:80', canTell: true, counts }))

  expect(sources.map(({ name, answers, share }) => [name, answers, share])).toEqual([
    ['Browsers and SDKs', undefined, 'not known'],
    ['varnish:80', 90, '90 %'],
    ['Other caches on the way', undefined, 'not known'],
    ['This server: the caller’s copy was current (304)', 3, '30 %'],
    ['This server: from memory', 6, '60 %'],
    ['This server: from the store', 1, '10 %'],
    ['This server: past all caches', 0, '0 %'],
  ])
  expect(sources[1]?.note).toMatch(/1,234 went past it/)
})

it('says why a shared cache tells nothing', () => {
  const network = { name: 'cdn', canTell: false, counts: null }
  const silent = { name: 'varnish:80', canTell: true, counts: null }
  const idle = { ...silent, counts: { hits: 0, misses: 0, passed: 0, sinceMs: 0 } }

  const sources = sourcesOf(stateWith(network, silent, idle))

  expect(sources[1]?.note).toMatch(/network keeps count by itself/)
  expect(sources[2]?.note).toMatch(/varnishstat/)
  expect(sources[3]?.share).toBe('none yet')
})

it.each([
  [0, '0 %'],
  [0.00001, 'below 0.01 %'],
  [0.0004, '0.04 %'],
  [0.0123, '1.2 %'],
  [0.5, '50 %'],
  [1, '100 %'],
])('writes the share %d as %s', (share, text) => {
  expect(percent(share)).toBe(text)
})

it.each([
  [12, '12 bytes'],
  [2048, '2.0 KB'],
  [64 << 20, '64.0 MB'],
])('writes %d bytes as %s', (count, text) => {
  expect(bytes(count)).toBe(text)
})

it.each([
  [-5, '0 s'],
  [61, '61 s'],
  [600, '10 min'],
  [3600 * 5, '5 h'],
])('writes %d seconds that are left as %s', (seconds, text) => {
  expect(left(NOW + seconds * 1000, NOW)).toBe(text)
})

it('names ranges of ratios', () => {
  expect(ratioRange(undefined, 0.125)).toBe('up to ⅛')
  expect(ratioRange(0.5, 1)).toBe('½ to 1')
  expect(ratioRange(8, null)).toBe('more than 8')
})

const ENTRY: Entry = {
  now: NOW,
  key: '/db/Todo/a',
  url: '/v1/db/Todo/a',
  copy: null,
  tracked: true,
  heldUntil: NOW + 60_000,
  staleUntil: null,
  inFilter: false,
  spellings: [],
}

it('tells a stale key from one that is in the filter by chance', () => {
  expect(staleness(ENTRY)).toMatch(/^No/)
  expect(staleness({ ...ENTRY, inFilter: true, staleUntil: NOW + 30_000 })).toMatch(/^Yes, for 30 s more/)
  expect(staleness({ ...ENTRY, inFilter: true })).toMatch(/^Yes, by chance/)
})

it('tells until when a key may be held, and when it does not know', () => {
  expect(holding(ENTRY)).toBe('Browsers and shared caches, for 60 s more.')
  expect(holding({ ...ENTRY, heldUntil: null })).toMatch(/^Nobody/)
  expect(holding({ ...ENTRY, tracked: false })).toMatch(/^Not known/)
})

it('warns of a filter that is full', () => {
  const filter: FilterState = {
    stale: 1,
    tracked: 2,
    capacity: 10,
    bits: 100,
    fill: 0.1,
    falsePositives: 0,
    allStaleUntil: null,
    untrackedUntil: null,
  }

  expect(filterWarning(filter, NOW)).toBeUndefined()
  expect(filterWarning({ ...filter, stale: 11 }, NOW)).toMatch(/caching.sketch-max-keys/)
  expect(filterWarning({ ...filter, allStaleUntil: NOW + 1000 }, NOW)).toMatch(
    /^Everything counts as stale for 1 s/,
  )
})
