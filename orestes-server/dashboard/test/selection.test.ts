import { describe, expect, it } from 'vitest'
import { following, including, NOTHING_SELECTED, toggled, updated, without } from '../src/data/selection'

const row = (id: string, version = 1) => ({ id, version })

describe('a selection', () => {
  const both = including(NOTHING_SELECTED, [row('a'), row('b')])

  it('takes one more, or one less', () => {
    expect([...toggled(both, row('c', 3))]).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 3],
    ])
    expect([...toggled(both, row('a', 2))]).toEqual([['b', 1]])
    expect([...without(both, ['b', 'x'])]).toEqual([['a', 1]])
  })

  it('knows the version that somebody wrote in the table, of what is in it', () => {
    expect(updated(both, row('a', 2)).get('a')).toBe(2)
    expect(updated(both, row('c'))).toBe(both)
  })

  it('forgets what has left a live result, and sees the rest as it is there', () => {
    expect([...following(both, [row('b', 5), row('c')])]).toEqual([['b', 5]])
    expect(following(both, [row('b'), row('a'), row('c')])).toBe(both)
  })
})
