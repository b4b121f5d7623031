import { describe, expect, it } from 'vitest'
import { changeOf, roundedFields } from '../src/data/objectChange'
import type { ClassInfo } from '../src/server/schema'
import { InputError } from '../src/server/values'

const classOf = (name: string, types: { [field: string]: string }, embedded = false): ClassInfo => ({
  class: `/db/${name}`,
  name,
  embedded,
  acl: {},
  fields: Object.fromEntries(
    Object.entries(types).map(([field, type]) => [field, { name: field, type: `/db/${type}` }]),
  ),
})

const CLASSES = [
  classOf('Address', { city: 'String', zip: 'Integer' }, true),
  classOf('Book', {
    title: 'String',
    pages: 'Integer',
    weight: 'Double',
    notes: 'JsonObject',
    shop: 'Address',
    prices: 'collection.List[/db/Double]',
  }),
]

const HUGE = 2 ** 60

const BOOK = {
  title: 'a',
  pages: HUGE,
  weight: 1,
  notes: { n: 1 },
  shop: { city: 'Ulm', zip: 1 },
  prices: null,
}

const change = (after: object, before: object = BOOK) =>
  changeOf({ ...before }, { ...after }, 'Book', CLASSES)

describe('the change of an object', () => {
  it('leaves out what nobody touched, whatever it is', () => {
    expect(change({ ...BOOK, title: 'b' })).toEqual({ kind: 'update', values: { title: 'b' } })
    expect(change({ ...BOOK, notes: { n: 2 } })).toEqual({ kind: 'update', values: { notes: { n: 2 } } })
    expect(change(BOOK)).toEqual({ kind: 'none' })
  })

  it('unsets what was taken out', () => {
    const { title: _, ...rest } = BOOK
    expect(change(rest)).toEqual({ kind: 'update', values: { title: null } })
  })

  it('goes into embedded objects, which are not set as a whole', () => {
    expect(change({ ...BOOK, shop: { city: 'Bonn', zip: 1 } })).toEqual({
      kind: 'update',
      values: { 'shop.city': 'Bonn' },
    })
    expect(change({ ...BOOK, shop: { city: 'Bonn' } }, { ...BOOK, shop: null })).toEqual({
      kind: 'update',
      values: { 'shop.city': 'Bonn' },
    })
  })

  it('is of the whole object where an embedded one is unset, if all of it is known', () => {
    const known = { ...BOOK, pages: 3 }
    expect(change({ ...known, shop: null }, known)).toEqual({ kind: 'replace' })
    expect(() => change({ ...BOOK, shop: null })).toThrow(InputError)
  })

  it.each<[string, object]>([
    ['pages', { pages: 2 ** 61 }],
    ['notes', { notes: { n: 1, m: [HUGE] } }],
    ['shop.zip', { shop: { city: 'Ulm', zip: HUGE } }],
  ])('is refused for an integer in %s that the browser does not know', (path, fields) => {
    expect(() => change({ ...BOOK, ...fields })).toThrow(`${path} has an integer beyond 2^53`)
  })

  it('may hold any number where the server stores doubles', () => {
    const values = { weight: HUGE, prices: [HUGE] }
    expect(change({ ...BOOK, ...values })).toEqual({ kind: 'update', values })
  })
})

it('names the fields of which not all digits are known', () => {
  expect(roundedFields({ ...BOOK, weight: HUGE, notes: { deep: [HUGE] } }, 'Book', CLASSES)).toEqual([
    'pages',
    'notes',
  ])
})
