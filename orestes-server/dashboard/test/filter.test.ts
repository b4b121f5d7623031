import { describe, expect, it } from 'vitest'
import type { Column } from '../src/data/columns'
import { filterIn, operatorsOf, toFilter, type Condition } from '../src/data/filter'
import { nextSort, orderOf } from '../src/data/query'
import { InputError, type Kind } from '../src/server/values'

const column = (path: string, kind: Kind, type = ''): Column => ({
  path,
  kind,
  type,
  isEditable: true,
  width: 1,
})

const COLUMNS = [
  column('text', 'text'),
  column('done', 'boolean'),
  column('priority', 'integer'),
  column('due', 'dateTime'),
  column('owner', 'reference', 'User'),
  column('tags', 'json'),
]

const filterOf = (...conditions: Condition[]) => JSON.parse(toFilter(conditions, COLUMNS)) as unknown

describe('the filter builder', () => {
  it.each<[Condition, object]>([
    [{ path: 'text', operator: 'equals', value: 'a' }, { text: 'a' }],
    [{ path: 'text', operator: 'equals', value: '' }, { text: '' }],
    [{ path: 'text', operator: 'contains', value: 'a.b' }, { text: { $regex: 'a\\.b' } }],
    [{ path: 'text', operator: 'begins', value: '(' }, { text: { $regex: '^\\(' } }],
    [{ path: 'done', operator: 'differs', value: 'true' }, { done: { $ne: true } }],
    [{ path: 'priority', operator: 'atLeast', value: '2' }, { priority: { $gte: 2 } }],
    [
      { path: 'due', operator: 'below', value: '2026-01-31' },
      { due: { $lt: { $date: '2026-01-31T00:00:00.000Z' } } },
    ],
    [{ path: 'owner', operator: 'equals', value: 'ann' }, { owner: '/db/User/ann' }],
    [{ path: 'tags', operator: 'contains', value: 'shop' }, { tags: 'shop' }],
    [{ path: 'tags', operator: 'contains', value: '3' }, { tags: 3 }],
    [{ path: 'text', operator: 'isSet', value: '' }, { text: { $ne: null } }],
    [{ path: 'text', operator: 'isUnset', value: 'x' }, { text: null }],
  ])('makes of %j the filter %j', (condition, filter) => {
    expect(filterOf(condition)).toEqual(filter)
  })

  it('joins conditions, also two on one field', () => {
    const [from, to, open]: Condition[] = [
      { path: 'priority', operator: 'above', value: '1' },
      { path: 'priority', operator: 'below', value: '5' },
      { path: 'done', operator: 'equals', value: 'false' },
    ] as const
    expect(filterOf(from!, open!)).toEqual({ priority: { $gt: 1 }, done: false })
    expect(filterOf(from!, to!)).toEqual({ $and: [{ priority: { $gt: 1 } }, { priority: { $lt: 5 } }] })
    expect(toFilter([], COLUMNS)).toBe('')
  })

  it('refuses a comparison with nothing', () => {
    expect(() => filterOf({ path: 'priority', operator: 'above', value: '' })).toThrow(InputError)
  })

  it.each(COLUMNS)('offers something for $kind', (each) => {
    expect(operatorsOf(each)).toContain('isSet')
  })
})

it.each(['{', '[]', '3', 'null'])('takes %s for no filter', (text) => {
  expect(() => filterIn(text)).toThrow(InputError)
})

it('orders by a column, then the other way round, then by ids', () => {
  expect(nextSort('', 'text')).toBe('text')
  expect(nextSort('text', 'text')).toBe('-text')
  expect(nextSort('-text', 'text')).toBe('')
  expect(nextSort('-text', 'done')).toBe('done')
  expect(nextSort('', 'id')).toBe('-id')
  expect(nextSort('-id', 'id')).toBe('')
  expect(nextSort('text', 'id')).toBe('')
  expect(orderOf('-text')).toEqual({ text: -1, id: 1 })
  expect(orderOf('')).toEqual({ id: 1 })
  expect(orderOf('-id')).toEqual({ id: -1 })
})
