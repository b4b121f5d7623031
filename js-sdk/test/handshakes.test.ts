import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, type HandshakeStore, memoryTokens } from '../src/index.js'
import { fakeServer, stored } from './fakeServer.js'
import { deferred, FakeSocket, subscribed } from './frameworks.js'

const A = '/db/Todo/a'
const TODO = { class: '/db/Todo', fields: { text: { name: 'text', type: '/db/String' } } }

/** Storage that pages of one browser share; `capacity` is its maximum in characters. */
function memoryStorage(capacity = Infinity): HandshakeStore & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => {
      const others = [...kept].filter(([each]) => each !== name)
      if ([...others, [name, text]].join('').length > capacity) throw new Error('full')
      kept.set(name, text)
    },
  }
}

let handshakes: ReturnType<typeof memoryStorage>
let server: ReturnType<typeof fakeServer>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })
  handshakes = memoryStorage()
  server = fakeServer({
    'GET /connect': () => ({
      body: { schema: [TODO], bloomFilter: { m: 64, h: 3, b: '' } },
      headers: { Date: new Date().toUTCString(), 'Orestes-Purge-Lag': '1' },
    }),
    'GET /bloomfilter': { body: { m: 64, h: 3, b: '' } },
    'GET /db/Todo/a': { body: stored(A, 1, { text: 'a' }) },
    'PUT /db/Todo/a': { body: stored(A, 2, { text: 'b' }) },
  })
})

afterEach(() => {
  vi.useRealTimers()
})

const load = (options = {}) => connect('http://test/v1', { fetch: server.fetch, handshakes, ...options })

/** Returns the number of handshakes that the server received. */
const asked = () => server.asked.filter(({ path }) => path === '/connect').length

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

describe('a handshake that is kept', () => {
  it('spares the next page the request, and brings classes and filter', async () => {
    await load()
    await pass(20)

    const db = await load()
    await db.bucket('Todo').load('a')

    expect(server.asked.map(({ path, cache }) => [path, cache])).toEqual([
      ['/connect', 'no-store'],
      [A, 'default'],
    ])
    expect(db.schema.typeOf('Todo', 'text')).toBe('/db/String')
  })

  it('counts its filter from when it was asked for: bound and reload are as if the page had never been left', async () => {
    await load()
    await pass(50)
    const todos = (await load()).bucket('Todo')

    const { bound } = await todos.load('a', { consistency: 'bounded', boundSeconds: 51 })
    await pass(11)
    await todos.load('a')

    // the filter says that nothing was changed until 50 s ago, and may have been 1 s old then
    expect(bound).toBe(51)
    expect(server.asked.map(({ path, cache }) => [path, cache])).toEqual([
      ['/connect', 'no-store'],
      [A, 'default'],
      ['/bloomfilter', 'no-cache'],
      [A, 'no-cache'],
    ])
  })

  it('is of use until it is as old as the bound of who connects', async () => {
    await load()
    await pass(10)
    await load({ boundSeconds: 10 })
    expect(asked()).toBe(1)

    await pass(0.001)
    await load({ boundSeconds: 10 })

    expect(asked()).toBe(2)
  })

  it('is not used when the clock was put back behind it', async () => {
    await load()
    vi.setSystemTime(Date.now() - 1)

    await load()

    expect(asked()).toBe(2)
  })

  it('is another one for another server', async () => {
    await load()

    await connect('http://test/v1/', { fetch: server.fetch, handshakes })
    await expect(connect('http://other', { fetch: server.fetch, handshakes })).rejects.toThrow(
      'Nobody expects',
    )

    expect(asked()).toBe(1)
  })
})

describe('after a write', () => {
  it('pages ask anew, until a handshake certainly knows of it', async () => {
    const db = await load()
    await pass(5)
    await db.bucket('Todo').save({ id: A, text: 'b' })

    await load()
    await pass(1)
    await load()
    expect(asked()).toBe(3)

    await pass(2)
    await load()
    await load()

    // the one of a second later may be older, from a shared cache
    expect(asked()).toBe(4)
  })

  it('that is under way they do so as well, also if its page was left, and when it took long', async () => {
    const answer = deferred<{ body: object }>()
    const slow = fakeServer({ 'PUT /db/Todo/a': () => answer.promise })
    await load()
    await pass(5)
    const write = (await load({ fetch: slow.fetch })).bucket('Todo').save({ id: A, text: 'b' })

    await load()
    expect(asked()).toBe(2)

    await pass(10)
    await load()
    await load()
    expect(asked()).toBe(3)

    answer.resolve({ body: stored(A, 2) })
    await write
    await load()

    expect(asked()).toBe(4)
  })

  it('by a page without a store they know nothing, as of those of others', async () => {
    await load()
    await (await connect('http://test/v1', { fetch: server.fetch })).bucket('Todo').save({ id: A, text: 'b' })
    const before = asked()

    await load()

    expect(asked()).toBe(before)
  })

  it('or a change that a live query told, and also after refresh', async () => {
    const db = await load({ WebSocket: FakeSocket })
    const lists: unknown[] = []
    const stop = db
      .bucket('Todo')
      .find()
      .live()
      .subscribe((list) => lists.push(list))
    const socket = await subscribed()
    socket.tell('result', { data: [stored(A, 1)] })
    await load()
    expect([lists.length, asked()]).toEqual([1, 1])

    await pass(5)
    socket.tell('match', { matchType: 'change', operation: 'update', data: stored(A, 2) })
    await load()
    expect([lists.length, asked()]).toEqual([2, 2])

    await pass(5)
    const last = await load()
    await pass(5)
    await last.refresh()
    await load()

    expect(asked()).toBe(4)
    stop()
  })
})

describe('is not kept', () => {
  it('of somebody who is logged in, nor used by them', async () => {
    const tokens = memoryTokens()
    tokens.set('token')
    await load({ tokens })
    expect([...handshakes.kept]).toEqual([])

    await load()
    tokens.set('token')
    await load({ tokens })

    expect(asked()).toBe(3)
  })

  it.each([
    ['no JSON', '{'],
    ['something else', '{"askedAt":1}'],
    [
      'of another version',
      JSON.stringify({ askedAt: 9e15, headers: {}, body: { schema: [], bloomFilter: 1 } }),
    ],
  ])('what is %s', async (_, text) => {
    await load()
    const [name] = [...handshakes.kept.keys()].filter((each) => !each.endsWith('since'))
    handshakes.kept.set(name!, text.replace('9e15', String(Date.now())))

    await load()

    expect(asked()).toBe(2)
  })

  it('where there is no room, neither for it nor for the mark of a write', async () => {
    await load()
    const [kept] = [...handshakes.kept].filter(([name]) => !name.endsWith('since'))
    handshakes = memoryStorage(kept!.join('').length + 5)
    const db = await load()
    await db.bucket('Todo').save({ id: A, text: 'b' })
    await load()

    expect(asked()).toBe(3)
  })
})
