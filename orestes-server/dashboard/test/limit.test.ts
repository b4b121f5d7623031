import { expect, it } from 'vitest'
import { limitOf } from '../src/server/limit'

const settings = (window: string, results: string) => [
  { key: 'port', value: '1' },
  { key: 'live.max-window', value: window },
  { key: 'query.max-results', value: results },
]

it.each([
  ['the server’s own', '500', '500', 500],
  ['a smaller window', '40', '500', 40],
  ['smaller results', '500', '30', 30],
  ['larger ones', '9000', '9000', 500],
  ['none', '0', '500', 1],
])('follows as many objects as may be by %s', (_, window, results, limit) => {
  expect(limitOf(settings(window, results))).toBe(limit)
})

it('follows some where nothing is known of limits', () => {
  expect(limitOf([])).toBe(500)
})
