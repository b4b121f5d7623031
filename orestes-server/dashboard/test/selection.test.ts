import { describe, expect, it } from 'vitest'
import {
  ALL_SELECTED,
  following,
  including,
  isEmpty,
  isSelected,
  leftOut,
  NOTHING_SELECTED,
  toggled,
  updated,
  without,
  type Selection,
} from '../src/data/selection'

const row = (id: string, version = 1) => ({ id, version })

const versions = (selection: Selection) => (selection.isAll ? undefined : [...selection.versions])

describe('a selection', () => {
  const both = including(NOTHING_SELECTED, [row('a'), row('b')])

  it('takes one more, or one less', () => {
    expect(versions(toggled(both, row('c', 3)))).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 3],
    ])
    expect(versions(toggled(both, row('a', 2)))).toEqual([['b', 1]])
    expect(versions(without(both, ['b', 'x']))).toEqual([['a', 1]])
    expect([isEmpty(NOTHING_SELECTED), isEmpty(both)]).toEqual([true, false])
  })

  it('knows the version that somebody wrote in the table, of what is in it', () => {
    expect(versions(updated(both, row('a', 2)))).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    expect(updated(both, row('c'))).toBe(both)
  })

  it('forgets what has left a live result, and sees the rest as it is there', () => {
    expect(versions(following(both, [row('b', 5), row('c')]))).toEqual([['b', 5]])
    expect(following(both, [row('b'), row('a'), row('c')])).toBe(both)
  })
})

describe('a selection of all', () => {
  const butA = toggled(ALL_SELECTED, row('a'))

  it('is of all but those that somebody takes out', () => {
    expect([isSelected(ALL_SELECTED, 'a'), isSelected(butA, 'a'), isSelected(butA, 'b')]).toEqual([
      true,
      false,
      true,
    ])
    expect([leftOut(ALL_SELECTED), leftOut(butA)]).toEqual([0, 1])
    expect(toggled(butA, row('a'))).toEqual(ALL_SELECTED)
    expect(including(butA, [row('a'), row('c')])).toEqual(ALL_SELECTED)
  })

  it('stays one of all, whatever is written', () => {
    expect(isEmpty(butA)).toBe(false)
    expect([without(butA, ['b']), updated(butA, row('b', 2)), following(butA, [row('b')])]).toEqual([
      butA,
      butA,
      butA,
    ])
  })
})
