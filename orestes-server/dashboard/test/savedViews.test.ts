import { describe, expect, it, vi } from 'vitest'
import type { Column } from '../src/data/columns'
import { missingFields } from '../src/data/missingFields'
import { isName, MOST_VIEWS, SavedViews, type SavedView } from '../src/data/savedViews'

const KEY = 'orestes-dashboard-views/Todo'

const view = (name: string, filter = ''): SavedView => ({
  name,
  filter,
  sort: '-text',
  columns: 'id,text',
  isLive: true,
})

/** A browser's storage with this text for the class `Todo`. */
function storing(text?: string) {
  const texts = new Map(text === undefined ? [] : [[KEY, text]])
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: vi.fn((key: string, value: string) => void texts.set(key, value)),
  }
  return { texts, storage, views: new SavedViews('Todo', () => storage) }
}

const names = (views: SavedViews) => views.all().map(({ name }) => name)

describe('saved views', () => {
  it('are there again, by name and for their class alone', () => {
    const { views, storage } = storing()
    views.save(view('open', '{"done":false}'))
    views.save(view('all'))

    expect(new SavedViews('Todo', () => storage).all()).toEqual([view('all'), view('open', '{"done":false}')])
    expect(new SavedViews('Other', () => storage).all()).toEqual([])
  })

  it('take the place of what has their name', () => {
    const { views } = storing()
    views.save(view('a', '{"n":1}'))
    expect([views.has('a'), views.has('b')]).toEqual([true, false])
    views.save(view('a', '{"n":2}'))

    expect(views.all()).toEqual([view('a', '{"n":2}')])
  })

  it('are renamed, also to the name of another one and to their own', () => {
    const { views } = storing()
    views.save(view('a', '{"n":1}'))
    views.save(view('b', '{"n":2}'))
    views.rename('a', 'c')
    expect(names(views)).toEqual(['b', 'c'])
    views.rename('c', 'b')
    expect(views.all()).toEqual([view('b', '{"n":1}')])
    views.rename('b', 'b')
    expect(() => views.rename('gone', 'b')).toThrow(/not there any more/)

    expect(views.all()).toEqual([view('b', '{"n":1}')])
  })

  it('are removed', () => {
    const { views } = storing()
    views.save(view('a'))
    views.save(view('b'))
    views.remove('a')
    views.remove('a')

    expect(names(views)).toEqual(['b'])
  })

  it('are of a bounded number, of which each can be replaced', () => {
    const { views } = storing()
    for (let i = 0; i < MOST_VIEWS; i++) views.save(view(`v${i}`))
    expect(() => views.save(view('more'))).toThrow(/at most 50/)
    views.save(view('v0', '{}'))

    expect(views.all().length).toBe(MOST_VIEWS)
  })

  it.each([
    '',
    '{',
    'null',
    '{"a":1}',
    '"text"',
    '[1, null, "a", [], {}]',
    '[{"name":"a","filter":1,"sort":""}]',
  ])('are none where the storage holds %s, and can be saved then', (text) => {
    const { views } = storing(text)
    expect(views.all()).toEqual([])
    views.save(view('a'))

    expect(views.all()).toEqual([view('a')])
  })

  it('are what makes sense of a storage that somebody else has written', () => {
    const more = Array.from({ length: 2 * MOST_VIEWS }, (_, i) => view(`v${i}`))
    const odd = [
      { ...view('x'), name: ' x ' },
      { ...view('y'), isLive: 'yes', other: 1 },
      view('y', '{}'),
      ...more,
    ]
    const { views } = storing(JSON.stringify(odd))

    expect(views.all()[0]).toEqual(view('y', '{}'))
    expect(views.all().length).toBe(MOST_VIEWS)
  })

  it('are none where the browser has no storage, which is said to who saves one', () => {
    const views = new SavedViews('Todo', () => {
      throw new DOMException('denied', 'SecurityError')
    })
    expect(views.all()).toEqual([])
    expect(() => views.save(view('a'))).toThrow(/does not keep it/)
  })

  it('stay as they were where the storage is full', () => {
    const { views, storage } = storing()
    views.save(view('a'))
    storage.setItem.mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => views.save(view('b'))).toThrow(/does not keep it/)

    expect(names(views)).toEqual(['a'])
  })

  it('are the same list until something changes, here or in another tab', () => {
    const { views, texts } = storing()
    const listener = vi.fn()
    const end = views.subscribe(listener)
    views.save(view('a'))
    expect(listener).toHaveBeenCalledTimes(1)
    expect(views.all()).toBe(views.all())

    texts.set(KEY, JSON.stringify([view('b')]))
    views.changed()
    expect(listener).toHaveBeenCalledTimes(2)
    expect(names(views)).toEqual(['b'])
    end()
    views.changed()
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['a', true],
    ['', false],
    [' a', false],
    ['x'.repeat(61), false],
  ])('may be called %j: %s', (name, may) => expect(isName(name)).toBe(may))
})

describe('fields that are missing', () => {
  const column = (path: string) => ({ path }) as Column
  const columns = ['id', 'text', 'place', 'updatedAt'].map(column)

  it.each([
    ['', '', []],
    ['{"text":1,"place.city":2,"id":3,"acl":null,"version":{"$gt":1}}', '-text', []],
    ['{"gone":{"$gt":1}}', 'lost', ['gone', 'lost']],
    ['{"$or":[{"gone":1},{"$and":[{"text":1},{"gone.x":2}]}]}', '', ['gone']],
    ['{"$expr":{"$gt":["$text",1]}}', '', []],
    ['{', '-', []],
    ['[]', '', []],
  ])('of the filter %s and the order %j are %j', (filter, sort, missing) => {
    expect(missingFields({ filter, sort, columns: '' }, columns)).toEqual(missing)
  })
})
