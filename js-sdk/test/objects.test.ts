import { describe, expect, expectTypeOf, it } from 'vitest'
import { connect, idOf, OutOfDateError, type Ref, type Stored, Update } from '../src/index.js'
import { toJson } from '../src/query/filter.js'
import { fakeServer, stored } from './fakeServer.js'

interface Todo {
  text: string
  done: boolean
  priority: number | null
  tags: string[]
  address: { city: string }
  owner: Ref<{ name: string }> | null
}

const A = '/db/Todo/a'
const STALE = { status: 412, body: { reason: 'Object Out Of Date' } }

async function connected(scripts: Parameters<typeof fakeServer>[0]) {
  const server = fakeServer(scripts)
  const db = await connect<{ Todo: Todo }>('http://test', { fetch: server.fetch })
  return { db, todos: db.bucket('Todo'), ...server }
}

describe('writes', () => {
  it.each([
    [{ version: 3 }, {}, '"3"'],
    [{}, {}, '*'],
    [{ version: 3 }, { ifMatch: '*' }, '*'],
    [{ version: 3 }, { ifMatch: '"3--x"' }, '"3--x"'],
    [{ version: 3 }, { ifMatch: 7 }, '"7"'],
  ])('replace %j with %j under If-Match %s', async (object, options, condition) => {
    const { todos, asked } = await connected({ [`PUT ${A}`]: { body: stored(A, 4) } })

    await todos.replace({ id: A, ...object }, options)

    expect(asked.at(-1)?.headers.get('If-Match')).toBe(condition)
  })

  it('save and delete without a condition', async () => {
    const { todos, asked } = await connected({
      [`PUT ${A}`]: { body: stored(A, 4) },
      [`DELETE ${A}`]: { status: 204 },
    })

    await todos.save({ id: A, version: 3 })
    await todos.delete('a')

    expect(asked.slice(1).map(({ headers }) => headers.get('If-Match'))).toEqual([null, null])
  })

  it('carry the abort of the caller', async () => {
    const { todos } = await connected({})
    const reason = new Error('enough')

    await expect(todos.insert({ text: 'x' }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('ids', () => {
  it.each(['', '.', '..', '/db/Todo/', '/db/Todo/.', '/db/Todo/%2e', '/db/Todo/%2E.'])(
    'are not made of %j, which stands for all objects in a URL',
    async (key) => {
      const { db, todos, requests } = await connected({})

      expect(() => idOf('Todo', key)).toThrow(TypeError)
      await expect(todos.delete(key)).rejects.toBeInstanceOf(TypeError)
      await expect(todos.load(key)).rejects.toBeInstanceOf(TypeError)
      await expect(todos.update(key, { $set: { text: '' } })).rejects.toBeInstanceOf(TypeError)
      await expect(todos.save({ id: key })).rejects.toBeInstanceOf(TypeError)
      await expect(todos.replace({ id: key })).rejects.toBeInstanceOf(TypeError)
      await expect(todos.insert({ id: key })).rejects.toBeInstanceOf(TypeError)
      await expect(todos.bulk([{ delete: key }])).rejects.toBeInstanceOf(TypeError)
      await expect(db.transaction((tx) => tx.bucket('Todo').delete(key))).rejects.toThrow()
      expect(requests().filter((each) => !each.includes('/transaction'))).toEqual([])
    },
  )

  it('are spelled as the server does, so that own writes and the filter are heeded', async () => {
    const id = '/db/Todo/Gr%C3%BC%C3%9Fe'
    const { db, todos, asked, requests } = await connected({
      [`PUT ${id}`]: { body: stored(id, 2) },
      [`DELETE ${id}`]: { status: 204 },
      [`GET ${id}`]: { body: stored(id, 2) },
      'POST /db/Todo/bulk': { body: { results: [{ status: 200, id, version: 3 }] } },
    })

    await todos.replace({ id: '/db/Todo/Grüße' })
    await todos.load('Grüße')
    await todos.save({ id: 'Grüße' })
    await db.load('/db/Todo/Gr%c3%bc%c3%9fe')
    await todos.delete('/db/Todo/Grüße')
    await todos.bulk([{ replace: { id: '/db/Todo/Grüße' } }])

    expect(requests().map((each) => each.split(' ')[0])).toEqual([
      'PUT',
      'GET',
      'PUT',
      'GET',
      'DELETE',
      'POST',
    ])
    expect(
      asked
        .slice(1)
        .filter(({ method }) => method === 'GET')
        .map(({ cache }) => cache),
    ).toEqual(['no-cache', 'no-cache'])
    expect(
      asked.filter(({ method }) => method === 'PUT').map(({ body }) => (body as { id: string }).id),
    ).toEqual([id, id])
    expect(asked.at(-1)?.body).toEqual({ operations: [{ replace: { id } }] })
  })
})

describe('optimisticUpdate', () => {
  it('loads the newest state after a conflict, and writes with the tag of what it read', async () => {
    const { todos, asked } = await connected({
      [`GET ${A}`]: [
        { body: stored(A, 1, { priority: 1 }), headers: { ETag: '"1--x"' } },
        { body: stored(A, 5, { priority: 7 }), headers: { ETag: '"5--y"' } },
      ],
      [`PUT ${A}`]: [STALE, { body: stored(A, 6, { priority: 8 }) }],
    })

    const result = await todos.optimisticUpdate('a', (todo) => {
      todo.priority! += 1
    })

    expect(result.version).toBe(6)
    expect(
      asked
        .slice(1)
        .map(({ method, cache, headers, body }) => [
          method,
          cache,
          headers.get('If-Match'),
          (body as Todo)?.priority,
        ]),
    ).toEqual([
      ['GET', 'default', null, undefined],
      ['PUT', 'no-store', '"1--x"', 2],
      ['GET', 'no-cache', null, undefined],
      ['PUT', 'no-store', '"5--y"', 8],
    ])
  })

  it('gives up after so many attempts, and at once for any other refusal', async () => {
    const { todos, requests } = await connected({
      [`GET ${A}`]: { body: stored(A, 1) },
      [`PUT ${A}`]: [STALE, STALE, STALE, { status: 466, body: { reason: 'Permission Denied' } }],
    })

    await expect(todos.optimisticUpdate('a', () => {}, { attempts: 3 })).rejects.toBeInstanceOf(
      OutOfDateError,
    )
    expect(requests()).toHaveLength(6)
    await expect(todos.optimisticUpdate('a', () => {})).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(requests()).toHaveLength(8)
  })

  it('ends while it waits', async () => {
    const { todos } = await connected({ [`GET ${A}`]: { body: stored(A, 1) }, [`PUT ${A}`]: STALE })
    const reason = new Error('enough')
    const aborter = new AbortController()

    const update = todos.optimisticUpdate('a', () => {}, { attempts: 1000, signal: aborter.signal })
    setTimeout(() => aborter.abort(reason), 20)

    await expect(update).rejects.toBe(reason)
  })
})

describe('a filter', () => {
  it('takes sets as lists, and refuses what JSON cannot say', async () => {
    expect(toJson({ n: { $in: new Set([1, 2]) } })).toEqual({ n: { $in: [1, 2] } })
    expect(() => toJson({ text: /^a/ })).toThrow(TypeError)
    expect(() => toJson({ n: { $gt: NaN } })).toThrow(TypeError)
  })
})

describe('Update', () => {
  it('collects operations as the server takes them', () => {
    const update = new Update<Todo>()
      .inc('priority', -1)
      .push('tags', 'a')
      .set('address.city', 'Hamburg')
      .set('text', null)
      .replace('tags', 2, 'b')
      .currentDate('text2.at' as 'address.at')

    expect(JSON.parse(JSON.stringify(update))).toEqual({
      $inc: { priority: -1 },
      $push: { tags: 'a' },
      $set: { 'address.city': 'Hamburg', text: null },
      $replace: { 'tags.2': 'b' },
      $currentDate: { 'text2.at': null },
    })
  })

  it('refuses to name a path twice, of which only one would be done', () => {
    expect(() => new Update<Todo>().inc('priority').inc('priority')).toThrow(TypeError)
  })
})

describe('types', () => {
  it('know the fields of a schema', async () => {
    const { db, todos } = await connected({ [`GET ${A}`]: { body: stored(A, 1) } })

    const { data } = await todos.load('a')

    expectTypeOf(data).toEqualTypeOf<Stored<Todo>>()
    expectTypeOf(data.tags).toEqualTypeOf<string[]>()
    expectTypeOf(db.bucket<{ n: number }>('Other').load).returns.resolves.toHaveProperty('data')
    // @ts-expect-error no such field
    void (() => todos.insert({ txt: 'x' }))
    // @ts-expect-error not a number
    void (() => todos.update('a', (change) => change.inc('text')))
    // @ts-expect-error not an element of the list
    void (() => todos.update('a', (change) => change.push('tags', 1)))
    // @ts-expect-error not the type of the field
    void (() => todos.find({ done: 'yes' }))
    // @ts-expect-error no such field
    void (() => todos.find().equal('dun', true))
  })

  it('are loose without a schema', async () => {
    const { fetch } = fakeServer({})
    const db = await connect('http://test', { fetch })
    const things = db.bucket('Thing')

    void (() => things.update('a', (change) => change.inc('n').push('list', 1).set('text', 'x')))
    void (() =>
      things
        .find({ anything: { $gt: 1 } })
        .equal('text', 'x')
        .ascending('n'))
    expectTypeOf(things.load).returns.resolves.toHaveProperty('data')
  })

  it('knows ids', () => {
    expect([idOf('Todo', 'a b/c'), idOf('Todo', '/db/Todo/a'), idOf('Todo', '/db/Other/a')]).toEqual([
      '/db/Todo/a%20b%2Fc',
      '/db/Todo/a',
      '/db/Todo/%2Fdb%2FOther%2Fa',
    ])
  })
})
