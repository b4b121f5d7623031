import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, ConnectionError, NotFoundError } from '../src/index.js'
import { fakeServer, NOW, stored } from './fakeServer.js'
import { FakeSocket, subscribed } from './frameworks.js'

const A = '/db/Todo/a'
const ALL = '/db/Todo/query?'

type Todos = Awaited<ReturnType<typeof connected>>['todos']

async function connected(scripts: Parameters<typeof fakeServer>[0], options = {}) {
  const server = fakeServer(scripts)
  const db = await connect('http://test/v1/', { fetch: server.fetch, ...options })
  const modes = () =>
    server.asked
      .filter(({ method, path }) => method === 'GET' && path !== '/connect')
      .map(({ cache }) => cache)
  return { db, todos: db.bucket<{ text: string }>('Todo'), modes, ...server }
}

it('uses the filter of the handshake, so that the first read may come from a cache', async () => {
  const { todos, modes } = await connected({ [`GET ${A}`]: { body: stored(A, 1) } })

  await todos.load('a')

  expect(modes()).toEqual(['default'])
})

it('asks caches as the client or the call says', async () => {
  const { todos, modes } = await connected({ [`GET ${A}`]: { body: stored(A, 1) } }, { consistency: 'fresh' })

  await todos.load('a')
  await todos.load('a', { consistency: 'bounded' })
  await todos.load('a', { consistency: 'bounded', boundSeconds: 0 })
  await todos.load('a', { consistency: 'any' })

  // an old revalidation is not repeated, unless its filter is too old for the call
  expect(modes()).toEqual(['no-cache', 'default', 'no-cache', 'default'])
})

it('asks again for what it wrote, and for queries of the class, whatever the consistency', async () => {
  const { todos, modes } = await connected(
    {
      [`GET ${A}`]: { body: stored(A, 2) },
      [`PUT ${A}`]: { body: stored(A, 2) },
      [`GET ${ALL}`]: {
        body: [stored(A, 2)],
        headers: { 'Cache-Control': 'max-age=9', 'Orestes-Bound': '9' },
      },
    },
    { consistency: 'any' },
  )

  await todos.find().list()
  await todos.save({ id: A, text: 'x' })
  await todos.load('a')
  await todos.find().list()
  await todos.load('a')
  await todos.find().list()

  expect(modes()).toEqual(['force-cache', 'no-cache', 'no-cache', 'default', 'force-cache'])
})

it('takes a write that was not answered for one that may have been done', async () => {
  const { todos, modes } = await connected({
    [`GET ${A}`]: { body: stored(A, 2) },
    [`POST ${A}`]: new TypeError('fetch failed'),
  })

  await expect(todos.update('a', { $inc: { n: 1 } })).rejects.toBeInstanceOf(ConnectionError)
  await todos.load('a')

  expect(modes()).toEqual(['no-cache'])
})

it('never goes back behind a version it has seen', async () => {
  const { todos, modes } = await connected({
    [`GET ${A}`]: [{ body: stored(A, 3) }, { body: stored(A, 2) }, { body: stored(A, 3) }],
  })

  await todos.load('a')
  const { data } = await todos.load('a')

  expect(data.version).toBe(3)
  expect(modes()).toEqual(['default', 'default', 'no-cache'])
})

it('never shows an older version within a query result', async () => {
  const { todos, modes } = await connected({
    [`GET ${A}`]: { body: stored(A, 3) },
    [`GET ${ALL}`]: [
      { body: [stored(A, 2)], headers: { 'Cache-Control': 'max-age=9', 'Orestes-Bound': '9' } },
      { body: [stored(A, 3)] },
    ],
  })

  await todos.load('a')
  const { data } = await todos.find().list()

  expect(data.map(({ version }) => version)).toEqual([3])
  expect(modes()).toEqual(['default', 'force-cache', 'no-cache'])
})

it('believes the newest state, also if it begins again with version 1', async () => {
  const { todos } = await connected({ [`GET ${A}`]: [{ body: stored(A, 3) }, { body: stored(A, 1) }] })

  await todos.load('a')
  const { data } = await todos.load('a', { consistency: 'fresh' })
  const { data: later } = await todos.load('a')

  expect([data.version, later.version]).toEqual([1, 1])
})

it('is not led back by an answer that another one has overtaken', async () => {
  let answer = (_: object) => {}
  const late = new Promise<object>((resolve) => (answer = resolve))
  const { todos, modes } = await connected({
    [`GET ${A}`]: [() => late, { body: stored(A, 4) }],
  })

  const overtaken = todos.load('a', { consistency: 'fresh' })
  await todos.load('a', { consistency: 'fresh' })
  answer({ body: stored(A, 3) })

  expect((await overtaken).data.version).toBe(4)
  expect(modes()).toHaveLength(3)
})

it('is not led back by the late answer to an earlier write', async () => {
  let answer = (_: object) => {}
  const late = new Promise<object>((resolve) => (answer = resolve))
  const { todos, modes } = await connected({
    [`PUT ${A}`]: [() => late, { body: stored(A, 3) }],
    // a cache that ignores demands, and then the server
    [`GET ${A}`]: [{ body: stored(A, 2), headers: { Age: '1' } }, { body: stored(A, 3) }],
  })

  const overtaken = todos.save({ id: A })
  await todos.save({ id: A })
  answer({ body: stored(A, 2) })
  await overtaken
  const { data } = await todos.load('a', { consistency: 'any' })

  expect(data.version).toBe(3)
  expect(modes()).toEqual(['no-cache', 'no-cache'])
})

it.each([
  ['a read with depth', `GET ${A}?depth=1`, (todos: Todos) => todos.load('a', { depth: 1 })],
  [
    'a query whose filter is sent as a body',
    'POST /db/Todo/query',
    (todos: Todos) => todos.find({ text: 'x'.repeat(3000) }).list(),
  ],
])('does not go back behind %s', async (_, request, read) => {
  const object = stored(A, 5)
  const { todos } = await connected({
    [request]: { body: request.startsWith('POST') ? [object] : object },
    [`GET ${A}`]: [{ body: stored(A, 3) }, { body: object }],
  })

  await read(todos)

  expect((await todos.load('a')).data.version).toBe(5)
})

it('calls a fetch that minds its this', async () => {
  const server = fakeServer({ [`GET ${A}`]: { body: stored(A, 1) } })
  const fetch = function (this: unknown, ...given: Parameters<typeof globalThis.fetch>) {
    return this === undefined ? server.fetch(...given) : Promise.reject(new TypeError('Illegal invocation'))
  }
  const db = await connect('http://test', { fetch })

  await db.bucket('Todo').load('a')

  expect(server.requests()).toEqual([`GET ${A}`])
})

it('has no pages by distance, which would lose what is as far as another', async () => {
  const { db, requests } = await connected({})
  const places = db.bucket<{ at: object }>('Place')
  const near = places.find().near('at', { latitude: 1, longitude: 2 }, 9)

  await expect(near.pages(2)[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(TypeError)
  expect(requests()).toEqual([])
})

describe('a result of a query', () => {
  const KEPT = { 'Cache-Control': 'private, max-age=0', 'Orestes-Bound': '60' }
  const copyOf = (...objects: object[]) => ({ body: objects, headers: KEPT })
  const keysOf = ({ data }: { data: readonly { id: string }[] }) =>
    data.map(({ id }) => id.slice(-1)).join('')
  const B = '/db/Todo/b'

  beforeEach(() => {
    FakeSocket.opened = []
  })

  it('is not from before the one that was seen last', async () => {
    const { todos, modes } = await connected({
      // the second copy is of a newer cache, the third one of an older cache
      [`GET ${ALL}`]: [copyOf(stored(A, 1)), copyOf(), copyOf(stored(A, 1)), copyOf()],
    })

    await todos.find().list()
    const newer = await todos.find().list({ consistency: 'fresh' })
    const last = await todos.find().list()

    expect([newer, last].map(keysOf)).toEqual(['', ''])
    expect(modes()).toEqual(['force-cache', 'no-cache', 'force-cache', 'no-cache'])
  })

  it('may be a copy of what was seen, in whatever order its objects are', async () => {
    const { todos, modes } = await connected({
      [`GET ${ALL}`]: [copyOf(stored(A, 1), stored(B, 1)), copyOf(stored(B, 1), stored(A, 1))],
    })

    await todos.find().list({ consistency: 'fresh' })
    await todos.find().list()

    expect(modes()).toEqual(['no-cache', 'force-cache'])
  })

  it.each([
    ['a copy that was sent later for certain', 'Sat, 21 Nov 2026 12:00:03 GMT', 2],
    ['none that may have been sent before', 'Sat, 21 Nov 2026 12:00:02 GMT', 3],
  ])('may be %s', async (_, date, requests) => {
    const { todos, asked } = await connected({
      [`GET ${ALL}`]: [
        { body: [stored(A, 1)], headers: { ...KEPT, Date: NOW } },
        { body: [], headers: { ...KEPT, Date: date } },
        copyOf(),
      ],
    })

    await todos.find().list({ consistency: 'fresh' })
    const { data } = await todos.find().list()

    expect(data).toEqual([])
    expect(asked.length - 1).toBe(requests)
  })

  it.each([
    ['a read with depth', `GET ${ALL}&depth=1`, (todos: Todos) => todos.find().list({ depth: 1 })],
    ['a fresh read', `GET ${ALL}`, (todos: Todos) => todos.find().list({ consistency: 'fresh' })],
  ])('is not from before %s', async (_, request, read) => {
    const { todos } = await connected({
      [`GET ${ALL}`]: [...(request.endsWith('?') ? [copyOf()] : []), copyOf(stored(A, 1)), copyOf()],
      ...(!request.endsWith('?') && { [request]: copyOf() }),
    })

    await read(todos)

    expect(keysOf(await todos.find().list())).toBe('')
  })

  it('is not from before what a live query of it told, also when that has ended', async () => {
    const { todos, modes } = await connected(
      { [`GET ${ALL}`]: [copyOf(stored(A, 1)), copyOf(), copyOf(stored(A, 1)), copyOf()] },
      { WebSocket: FakeSocket },
    )
    const stop = todos
      .find()
      .live()
      .subscribe(() => {})
    const socket = await subscribed()
    socket.tell('result', { data: [] })

    const during = await todos.find().list()
    stop()
    const afterwards = await todos.find().list()

    expect([during, afterwards].map(keysOf)).toEqual(['', ''])
    expect(modes()).toEqual(['force-cache', 'no-cache', 'force-cache', 'no-cache'])
  })

  it('is asked for once more when another one has overtaken it, but not for ever', async () => {
    let answer = (_: object) => {}
    const late = new Promise<object>((resolve) => (answer = resolve))
    let told = 1
    const overtakenAgain = () => {
      socket.tell('match', { matchType: 'change', operation: 'update', data: stored(B, ++told) })
      return { body: [stored(A, 1)] }
    }
    const { todos, asked } = await connected(
      { [`GET ${ALL}`]: [() => late, overtakenAgain] },
      { WebSocket: FakeSocket },
    )
    const stop = todos
      .find()
      .live()
      .subscribe(() => {})
    const socket = await subscribed()
    const overtaken = todos.find().list({ consistency: 'fresh' })
    socket.tell('result', { data: [stored(B, 1)] })

    answer({ body: [] })
    const read = await overtaken
    stop()

    expect(keysOf(read)).toBe('a')
    expect(asked.filter(({ path }) => path === ALL).length).toBeLessThan(4)
  })

  it('shows no object that was told to be gone', async () => {
    const { todos, modes } = await connected(
      {
        [`GET ${ALL}`]: [copyOf(stored(A, 1)), copyOf()],
        [`GET ${A}`]: [{ body: stored(A, 1) }, { status: 404, body: { reason: 'Object Not Found' } }],
      },
      { WebSocket: FakeSocket },
    )
    const stop = todos
      .find({ text: 'x' })
      .live()
      .subscribe(() => {})
    const socket = await subscribed()
    socket.tell('result', { data: [stored(A, 1)] })
    socket.tell('match', { matchType: 'remove', operation: 'delete', data: { id: A } })

    const list = await todos.find().list()
    await expect(todos.load('a')).rejects.toBeInstanceOf(NotFoundError)
    stop()

    expect(keysOf(list)).toBe('')
    expect(modes()).toEqual(['force-cache', 'no-cache', 'default', 'no-cache'])
  })
})

it('does not take an old word that there is no object', async () => {
  const { todos, modes } = await connected({
    [`GET ${A}`]: [
      { body: stored(A, 1) },
      { status: 404, body: { reason: 'Object Not Found' } },
      { body: stored(A, 2) },
    ],
  })

  await todos.load('a')
  const { data } = await todos.load('a')

  expect(data.version).toBe(2)
  expect(modes()).toEqual(['default', 'default', 'no-cache'])
})

it('takes an object that comes back, and no copy from before it was gone', async () => {
  const { todos } = await connected({
    [`GET ${A}`]: [
      { status: 404, body: { reason: 'Object Not Found' } },
      { body: stored(A, 7) },
      { body: stored(A, 1) },
    ],
  })

  await expect(todos.load('a', { consistency: 'fresh' })).rejects.toBeInstanceOf(NotFoundError)

  expect((await todos.load('a')).data.version).toBe(1)
})

it('asks for what an aborted write concerns as long as it may still be done, whatever a filter says', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  const { db, todos, modes } = await connected({
    [`GET ${A}`]: { body: stored(A, 1) },
    [`PUT ${A}`]: new DOMException('enough', 'AbortError'),
    'GET /bloomfilter': { body: { m: 64, h: 3, b: '' } },
  })

  await todos.save({ id: A, text: 'x' }).catch(() => {})
  await todos.load('a')
  vi.advanceTimersByTime(119_000)
  await db.refresh()
  await todos.load('a')
  vi.advanceTimersByTime(2000)
  await todos.load('a', { consistency: 'any' })
  await todos.load('a', { consistency: 'any' })
  vi.useRealTimers()

  expect(modes().filter((_, i) => i !== 1)).toEqual(['no-cache', 'no-cache', 'no-cache', 'default'])
})

it('tells where a result came from, how old it is and how far behind at most', async () => {
  const { todos } = await connected({
    [`GET ${A}`]: [
      { body: stored(A, 1), headers: { ETag: '"1--x"', 'Orestes-Cache': 'miss' } },
      { body: stored(A, 1), headers: { 'Orestes-Cache': 'hit' } },
      // the handshake was at 12:00:00 by the server's clock
      { body: stored(A, 1), headers: { Date: 'Sat, 21 Nov 2026 11:59:30 GMT' } },
    ],
  })

  const fresh = await todos.load('a', { consistency: 'fresh' })
  const shared = await todos.load('a')
  const local = await todos.load('a')
  const any = await todos.load('a', { consistency: 'any' })

  expect(fresh).toMatchObject({ source: 'server', age: 0, bound: 0, etag: '"1--x"' })
  expect(shared.source).toBe('shared')
  expect(local.source).toBe('local')
  expect(Math.floor(local.age)).toBe(31)
  expect(Math.floor(local.bound)).toBe(1)
  expect(Math.floor(any.bound)).toBe(31)
})

it('takes an answer that comes once more for a copy, if nobody was asked', async () => {
  const answer = (date: string, age: string) => ({
    body: stored(A, 1),
    headers: { Date: date, Age: age, ETag: '"1--x"', 'Orestes-Cache': 'miss' },
  })
  const [at, later] = ['Sat, 21 Nov 2026 12:00:00 GMT', 'Sat, 21 Nov 2026 12:00:01 GMT']
  const { todos } = await connected({
    [`GET ${A}`]: [answer(at, '0'), answer(at, '0'), answer(at, '1'), answer(later, '0'), answer(later, '0')],
  })
  const source = async (consistency: 'bounded' | 'fresh') => (await todos.load('a', { consistency })).source

  expect([
    await source('bounded'),
    await source('bounded'),
    await source('bounded'),
    await source('bounded'),
    await source('fresh'),
  ]).toEqual(['server', 'local', 'shared', 'server', 'server'])
})
