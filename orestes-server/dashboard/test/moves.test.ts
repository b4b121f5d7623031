import { expect, it } from 'vitest'
import { moved } from '../src/data/moves'

const SIZE = { rows: 100, columns: 4 }

it.each([
  ['ArrowDown', false, { row: 6, column: 1 }],
  ['ArrowUp', false, { row: 4, column: 1 }],
  ['ArrowLeft', false, { row: 5, column: 0 }],
  ['ArrowRight', false, { row: 5, column: 2 }],
  ['PageUp', false, { row: 0, column: 1 }],
  ['PageDown', false, { row: 17, column: 1 }],
  ['Home', false, { row: 5, column: 0 }],
  ['End', false, { row: 5, column: 3 }],
  ['Home', true, { row: 0, column: 0 }],
  ['End', true, { row: 99, column: 3 }],
  ['a', false, undefined],
])('%s (with Control: %s) leads to %j', (key, isControl, position) => {
  expect(moved({ row: 5, column: 1 }, key, isControl, SIZE)).toEqual(position)
})

it('stays in the table', () => {
  expect(moved({ row: 99, column: 3 }, 'ArrowDown', false, SIZE)).toEqual({ row: 99, column: 3 })
  expect(moved({ row: 0, column: 0 }, 'ArrowLeft', false, SIZE)).toEqual({ row: 0, column: 0 })
})
