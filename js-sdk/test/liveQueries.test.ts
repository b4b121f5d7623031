import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import {
  connect,
  Live as LiveQuery,
  type Live,
  type LiveEvent,
  type LiveResult,
  ServerError,
  type Stored,
} from '../src/index.js'
import { EventParser, type StreamEvent } from '../src/live/eventParser.js'
import { difference } from '../src/live/follow.js'
import { until } from './eventually.js'
import { fakeServer, stored } from './fakeServer.js'
import { FakeDevice } from './frameworks.js'

interface Todo {
  text: string
}

const todo = (key: string, version = 1) => stored(`/db/Todo/${key}`, version, { text: key })
const match = (matchType: string, data: object, more: object = {}) => ({
  matchType,
  operation: 'update',
  data,
  ...more,
})
const keys = (list: readonly { id: string }[]) => list.map(({ id }) => id.slice('/db/Todo/'.length)).join('')

const keysOf = ({ data }: LiveResult<readonly { id: string }[]>) => keys(data)

/** A socket whose server is the test. */
class FakeSocket {
  static opened: FakeSocket[] = []
  readyState = 0
  onopen = () => {}
  onmessage = (_: { data: string }) => {}
  onclose = () => {}
  onerror = () => {}
  sent: { type: string; id: string; [member: string]: unknown }[] = []
  /** True if it sends nothing any more. */
  isDead = false
  pings = 0

  constructor(readonly url: string) {
    FakeSocket.opened.push(this)
  }

  open() {
    this.readyState = 1
    this.onopen()
  }

  send(text: string) {
    const message = JSON.parse(text) as FakeSocket['sent'][number]
    if (message.type !== 'ping') {
      this.sent.push(message)
      return
    }
    this.pings++
    if (!this.isDead) this.tell({ type: 'pong', id: message.id })
  }

  tell(message: object) {
    this.onmessage({ data: JSON.stringify(message) })
  }

  close() {
    if (this.readyState < 3) {
      this.readyState = 3
      this.onclose()
    }
  }

  id(index = -1) {
    return this.sent.filter(({ type }) => type === 'subscribe').at(index)?.id
  }
}

async function connected(scripts: Parameters<typeof fakeServer>[0] = {}, socket: unknown = FakeSocket) {
  const server = fakeServer({ 'GET /version': { body: {} }, ...scripts })
  const network = new FakeDevice()
  const db = await connect<{ Todo: Todo }>('http://test', {
    fetch: server.fetch,
    network,
    WebSocket: socket as new (url: string) => WebSocket,
  })
  return { db, network, todos: db.bucket('Todo'), ...server }
}

function listen<E>(live: Live<E>) {
  const observer = { next: vi.fn<(value: E) => void>(), error: vi.fn(), connection: vi.fn() }
  return {
    ...observer,
    stop: live.subscribe(observer),
    values: () => observer.next.mock.calls.map(([value]) => value),
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))
const latest = () => until(() => FakeSocket.opened.at(-1))

beforeEach(() => {
  FakeSocket.opened = []
})

describe('a live query over a socket', () => {
  it('says of each result that the server told it just now', async () => {
    const { todos } = await connected()
    const lists = listen(todos.find().live())
    const groups = listen(todos.find().liveAggregate({ _id: '$text' }))
    const socket = await latest()
    socket.open()

    socket.tell({ id: socket.id(0), type: 'result', data: [todo('a')] })
    socket.tell({ id: socket.id(), type: 'result', data: [{ _id: 'a' }] })

    const told = { source: 'live', age: 0, bound: 0 }
    expect(lists.values()).toEqual([{ data: [todo('a')], ...told }])
    expect(groups.values()).toEqual([{ data: [{ _id: 'a' }], ...told }])
  })

  describe('brings the filter of stale keys', () => {
    const A = '/db/Person/1'
    const FULL = {
      etag: 'x',
      date: '2026-11-21T12:00:00.000Z',
      purgeLag: '0',
      data: { m: 64, h: 3, b: 'AAgIAAICIIA=' },
    }

    /** A client with an open socket; a filter that is requested otherwise is empty. */
    async function open() {
      const { db, requests, asked } = await connected({
        'GET /bloomfilter': { body: { m: 64, h: 3, b: '' } },
        [`GET ${A}`]: { body: stored(A, 1) },
      })
      const { stop } = listen(db.bucket('Todo').find().live())
      const socket = await latest()
      socket.open()
      const question = () => until(() => socket.sent.filter(({ type }) => type === 'bloomFilter').at(-1))
      const mode = async () => (await db.load(A), asked.at(-1)?.cache)
      return { db, stop, socket, requests, question, mode }
    }

    it('without a request, once as long as it is the same', async () => {
      const { db, stop, socket, requests, question, mode } = await open()

      const first = db.refresh()
      const { id, etag } = await question()
      socket.tell({ type: 'bloomFilter', id, ...FULL })
      await first
      const modes = [await mode(), await mode()]
      const second = db.refresh()
      const again = await until(() =>
        socket.sent.find((each) => each.type === 'bloomFilter' && each.id !== id),
      )
      socket.tell({ type: 'bloomFilter', id: again.id, ...FULL, data: undefined })
      await second
      modes.push(await mode())
      stop()

      expect([etag, again['etag']]).toEqual([undefined, 'x'])
      expect(requests()).not.toContain('GET /bloomfilter')
      // its content is requested after each, as the server reports it as stale now
      expect(modes).toEqual(['no-cache', 'default', 'no-cache'])
    })

    it('in gzip, where that can be read', async () => {
      const { db, stop, socket, question, mode } = await open()

      const loading = db.refresh()
      const { id, gzip } = await question()
      const { data, ...rest } = FULL
      const stream = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream('gzip'))
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
      const text = btoa(String.fromCharCode(...bytes))
      socket.tell({ type: 'bloomFilter', id, ...rest, gzip: text })
      await loading
      stop()

      expect(gzip).toBe(true)
      expect(await mode()).toBe('no-cache')
    })

    it.each([
      ['is lost', (socket: FakeSocket) => socket.close()],
      [
        'knows no such message',
        (socket: FakeSocket, id: string) =>
          socket.tell({ type: 'error', id, error: { status: 400, reason: 'Bad Request' } }),
      ],
      [
        'brings what is no gzip',
        (socket: FakeSocket, id: string) => socket.tell({ type: 'bloomFilter', id, gzip: 'AAAA' }),
      ],
      [
        'brings something else',
        (socket: FakeSocket, id: string) => socket.tell({ type: 'bloomFilter', id, data: 1 }),
      ],
      [
        'says of another one that it is known',
        (socket: FakeSocket, id: string) =>
          socket.tell({ type: 'bloomFilter', id, ...FULL, data: undefined }),
      ],
    ])('unless it %s; then a request does', async (_, fail) => {
      const { db, stop, socket, requests, question } = await open()

      const loading = db.refresh()
      fail(socket, (await question()).id)
      await loading
      stop()

      expect(requests().filter((each) => each === 'GET /bloomfilter')).toHaveLength(1)
    })

    it('unless it says nothing in time', async () => {
      const { db, stop, requests, question } = await open()
      const aborter = new AbortController()
      vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(aborter.signal)

      const loading = db.refresh()
      await question()
      aborter.abort(new DOMException('too late', 'TimeoutError'))
      await loading
      stop()
      vi.restoreAllMocks()

      expect(requests()).toContain('GET /bloomfilter')
    })
  })

  it('says for how long nothing had come when its connection is lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    const { todos } = await connected()
    const { connection, stop } = listen(todos.find().live())
    const socket = await latest()
    socket.open()
    vi.advanceTimersByTime(3000)
    socket.tell({ id: socket.id(), type: 'result', data: [] })

    vi.advanceTimersByTime(7000)
    socket.close()
    stop()
    vi.useRealTimers()

    expect(connection.mock.calls).toEqual([
      [true, 0],
      [false, 7],
    ])
  })

  it('tells each result as a whole', async () => {
    const { todos } = await connected()
    const { values } = listen(
      todos
        .find({ text: { $gt: 'a' } })
        .sort({ text: 1 })
        .offset(1)
        .limit(2)
        .live(),
    )
    const socket = await latest()
    socket.open()
    const id = socket.id()

    socket.tell({ id, type: 'result', data: [todo('b'), todo('c')] })
    socket.tell({ id, type: 'match', ...match('remove', { id: '/db/Todo/b' }) })
    socket.tell({ id, type: 'match', ...match('add', todo('d'), { index: 1 }) })
    socket.tell({ id, type: 'match', ...match('changeIndex', todo('d', 2), { index: 0 }) })

    expect(socket.url).toBe('ws://test/v1/events')
    expect(socket.sent[0]).toMatchObject({
      bucket: 'Todo',
      query: '{"text":{"$gt":"a"}}',
      sort: '{"text":1}',
      offset: 1,
      limit: 2,
    })
    expect(values().map(keysOf)).toEqual(['bc', 'c', 'cd', 'dc'])
    expectTypeOf(values()).toEqualTypeOf<LiveResult<readonly Stored<Todo>[]>[]>()
  })

  it('shares the socket with others, and closes it with the last one', async () => {
    const { todos } = await connected()
    const one = listen(todos.find().live())
    const two = listen(todos.find({ text: 'x' }).live())
    const socket = await latest()
    socket.open()

    socket.tell({ id: socket.id(1), type: 'result', data: [todo('x')] })
    one.stop()
    socket.tell({ id: socket.id(0), type: 'result', data: [] })
    expect(socket.readyState).toBe(1)
    two.stop.unsubscribe()

    expect(FakeSocket.opened).toHaveLength(1)
    expect(one.values()).toEqual([])
    expect(two.values().map(keysOf)).toEqual(['x'])
    expect(socket.sent.filter(({ type }) => type === 'unsubscribe').map(({ id }) => id)).toEqual([
      socket.id(0),
      socket.id(1),
    ])
    expect(socket.readyState).toBe(3)
  })

  it('does not begin if it ended before its code was there', async () => {
    const { todos } = await connected()

    listen(todos.find().live()).stop()
    await new Promise((resolve) => setTimeout(resolve, 20))

    expect(FakeSocket.opened).toEqual([])
  })

  it('ends with the error of the server, alone', async () => {
    const { todos } = await connected()
    const [one, two] = [listen(todos.find().live()), listen(todos.find().live())]
    const socket = await latest()
    socket.open()

    socket.tell({ id: socket.id(0), type: 'error', error: { status: 468, reason: 'Query Not Supported' } })
    socket.tell({ id: socket.id(1), type: 'result', data: [todo('a')] })

    expect(one.error.mock.calls[0]?.[0]).toMatchObject({ code: 'QUERY_NOT_SUPPORTED' })
    expect(two.error).not.toHaveBeenCalled()
    expect(two.values().map(keysOf)).toEqual(['a'])
  })

  it('ends on what is no event', async () => {
    const { todos } = await connected()
    const { error, next } = listen(todos.find().live())
    const socket = await latest()
    socket.open()

    socket.tell({ id: socket.id(), type: 'match', ...match('conjure', todo('a')) })
    socket.tell({ id: socket.id(), type: 'result', data: [todo('a')] })

    expect(error.mock.calls[0]?.[0]).toMatchObject({ code: 'PROTOCOL' })
    expect(next).not.toHaveBeenCalled()
    expect(socket.readyState).toBe(3)
  })

  it('begins anew for another user, with nothing of what the one before saw', async () => {
    const token = (user: string) => `0000000100000002${user}`
    const { db, todos } = await connected({
      'POST /db/User/login': ({ body }) => {
        const { username } = body as { username: string }
        const headers = { 'baqend-authorization-token': token(username) }
        return { body: stored(`/db/User/${username}`, 1, { username }), headers }
      },
    })
    await db.users.login('ann', 'x')
    const [{ values }, events] = [listen(todos.find().live()), listen(todos.find().liveEvents())]
    const socket = await latest()
    socket.open()
    const old = socket.id(0)
    socket.tell({ id: old, type: 'result', data: [todo('a')] })
    socket.tell({ id: socket.id(1), type: 'result', data: [todo('a')] })

    await db.users.login('bob', 'x')
    await settled()
    socket.tell({ id: old, type: 'match', ...match('add', todo('b')) })
    socket.tell({ id: socket.id(2), type: 'result', data: [todo('c')] })

    expect(socket.sent.filter(({ type }) => type === 'subscribe').map((each) => each['token'])).toEqual([
      token('ann'),
      token('ann'),
      token('bob'),
      token('bob'),
    ])
    expect(socket.sent.filter(({ type }) => type === 'unsubscribe').map(({ id }) => id)).toEqual([
      old,
      socket.id(1),
    ])
    expect(values().map(keysOf)).toEqual(['a', '', 'c'])
    expect(events.values().map(({ matchType }) => matchType)).toEqual(['add', 'remove'])

    db.users.logout()
    await settled()
    expect(socket.sent.at(-2)).not.toHaveProperty('token')
    expect(values().map(keysOf)).toEqual(['a', '', 'c', ''])
  })

  it('ends with the client', async () => {
    const { db, todos } = await connected()
    const { next, connection } = listen(todos.find().live())
    const socket = await latest()

    db.close()
    await settled()

    expect(socket.readyState).toBe(3)
    expect(next).not.toHaveBeenCalled()
    expect(connection).not.toHaveBeenCalled()
  })

  it('tells what cannot be asked, and nobody else', async () => {
    const { todos } = await connected()
    const one = listen(todos.find({ n: 1n as unknown as number }).live())
    const two = listen(todos.find().live())
    const socket = await latest()
    socket.open()

    expect(one.error.mock.calls[0]?.[0]).toBeInstanceOf(TypeError)
    expect(two.error).not.toHaveBeenCalled()
    expect(socket.sent).toHaveLength(1)
  })

  it('tells that no socket can be made', async () => {
    class Insecure {
      constructor() {
        throw new DOMException('insecure', 'SecurityError')
      }
    }
    const { todos } = await connected({}, Insecure)
    const { error } = listen(todos.find().live())
    await until(() => error.mock.calls.length > 0)

    expect(error.mock.calls[0]?.[0]).toMatchObject({ name: 'SecurityError' })
  })

  it('lets reads not go back behind what it has told', async () => {
    const { todos, asked } = await connected({ 'GET /db/Todo/a': { body: todo('a', 2) } })
    listen(todos.find().live())
    const socket = await latest()
    socket.open()

    socket.tell({ id: socket.id(), type: 'result', data: [todo('a', 3)] })
    await todos.load('a')

    expect(asked.slice(1).map(({ cache }) => cache)).toEqual(['default', 'no-cache'])
  })
})

describe('a socket that is lost', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('is opened again, and tells what was missed as changes', async () => {
    const { todos } = await connected()
    const lists = listen(todos.find().live())
    const events = listen(todos.find().liveEvents())
    const first = await latest()
    first.open()
    first.tell({ id: first.id(0), type: 'result', data: [todo('a'), todo('b')] })
    first.tell({ id: first.id(1), type: 'result', data: [todo('a'), todo('b')] })

    first.close()
    await vi.advanceTimersByTimeAsync(1000)
    const second = FakeSocket.opened[1]!
    second.open()
    second.tell({ id: second.id(0), type: 'result', data: [todo('b', 2), todo('c')] })
    second.tell({ id: second.id(1), type: 'result', data: [todo('b', 2), todo('c')] })

    expect(second.id(0)).not.toBe(first.id(0))
    expect(lists.connection.mock.calls).toEqual([
      [true, 0],
      [false, expect.any(Number)],
      [true, 0],
    ])
    expect(lists.values().map(keysOf)).toEqual(['ab', 'bc'])
    expect(
      events.values().map(({ matchType, operation, data }) => [matchType, operation, keys([data])]),
    ).toEqual([
      ['add', 'none', 'a'],
      ['add', 'none', 'b'],
      ['remove', 'none', 'a'],
      ['change', 'none', 'b'],
      ['add', 'none', 'c'],
    ])
  })

  it('is waited for longer each time, by a random part', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const { todos } = await connected()
    listen(todos.find().live())
    const first = await latest()
    first.open()
    const opened = async (millis: number) => {
      await vi.advanceTimersByTimeAsync(millis)
      return FakeSocket.opened.length
    }

    first.close()
    const before = [await opened(499), await opened(1)]
    FakeSocket.opened[1]!.open()
    FakeSocket.opened[1]!.close()
    const again = [await opened(999), await opened(1)]
    random.mockRestore()

    expect(before).toEqual([1, 2])
    expect(again).toEqual([2, 3])
  })

  it.each([
    ['fails without being closed', (socket: FakeSocket) => socket.onerror()],
    ['says nothing for ten seconds', () => vi.advanceTimersByTimeAsync(10_000)],
    ['is closed', (socket: FakeSocket) => socket.close()],
  ])('is opened again when the next one %s, and no stream is taken', async (_, fail) => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const { todos } = await connected()
    const { values } = listen(todos.find().live())
    ;(await latest()).open()

    FakeSocket.opened[0]!.close()
    await vi.advanceTimersByTimeAsync(1)
    await fail(FakeSocket.opened[1]!)
    await vi.advanceTimersByTimeAsync(1)
    random.mockRestore()
    const third = FakeSocket.opened[2]!
    third.open()
    third.tell({ id: third.id(), type: 'result', data: [todo('a')] })

    expect(values().map(keysOf)).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(FakeSocket.opened).toHaveLength(3)
  })

  it('is opened at once when the network is back', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.9)
    const { todos, network } = await connected()
    listen(todos.find().live())
    ;(await latest()).open()

    network.become(false)
    FakeSocket.opened[0]!.close()
    await vi.advanceTimersByTimeAsync(100)
    const before = FakeSocket.opened.length
    network.become(true)
    random.mockRestore()

    expect([before, FakeSocket.opened.length]).toEqual([1, 2])
    FakeSocket.opened[1]!.open()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(FakeSocket.opened).toHaveLength(2)
  })

  it('is noticed although nothing says so, and what was missed is told', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const { todos } = await connected()
    const { connection, values } = listen(todos.find().live())
    const first = await latest()
    first.open()
    first.tell({ id: first.id(), type: 'result', data: [todo('a')] })

    await vi.advanceTimersByTimeAsync(24_000)
    first.tell({ id: first.id(), type: 'match', ...match('add', todo('b')) })
    await vi.advanceTimersByTimeAsync(24_999)
    const whileHeard = first.pings
    first.isDead = true
    await vi.advanceTimersByTimeAsync(10_000)
    const opened = FakeSocket.opened.length
    await vi.advanceTimersByTimeAsync(2)
    random.mockRestore()
    const second = FakeSocket.opened[1]!
    second.open()
    second.tell({ id: second.id(), type: 'result', data: [todo('c')] })

    expect([whileHeard, first.pings, opened]).toEqual([1, 2, 1])
    expect(first.readyState).toBe(3)
    expect(connection.mock.calls).toEqual([
      [true, 0],
      [false, expect.any(Number)],
      [true, 0],
    ])
    expect(values().map(keysOf)).toEqual(['a', 'ab', 'c'])
  })

  it('is not taken for dead while it answers', async () => {
    const { todos } = await connected()
    const { connection } = listen(todos.find().live())
    const socket = await latest()
    socket.open()

    await vi.advanceTimersByTimeAsync(600_000)

    expect(FakeSocket.opened).toHaveLength(1)
    expect(socket.pings).toBe(25)
    expect(connection.mock.calls).toEqual([[true, 0]])
  })

  it('is asked about when the network was away', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const { todos, network } = await connected()
    listen(todos.find().live())
    const first = await latest()
    first.open()
    first.isDead = true

    network.become(false)
    network.become(true)
    await vi.advanceTimersByTimeAsync(10_001)
    random.mockRestore()

    expect(FakeSocket.opened).toHaveLength(2)
  })

  it('shows that the server can be reached', async () => {
    const { db, todos, network } = await connected()
    listen(todos.find().live())
    const socket = await latest()
    network.become(false)

    socket.open()

    expect(db.online).toBe(true)
  })

  it('is not opened again when nobody listens any more', async () => {
    const { todos } = await connected()
    const { stop } = listen(todos.find().live())
    const socket = await latest()
    socket.open()

    socket.close()
    stop()
    await vi.advanceTimersByTimeAsync(60_000)

    expect(FakeSocket.opened).toHaveLength(1)
  })

  it('is not needed to ask again when the server says that it is not ready', async () => {
    const { todos } = await connected()
    const { error, values } = listen(todos.find().live())
    const socket = await latest()
    socket.open()

    socket.tell({ id: socket.id(), type: 'error', error: { status: 503, reason: 'Unavailable' } })
    await vi.advanceTimersByTimeAsync(1000)
    socket.tell({ id: socket.id(), type: 'result', data: [todo('a')] })

    expect(error).not.toHaveBeenCalled()
    expect(values().map(keysOf)).toEqual(['a'])
  })
})

describe('a live query without a socket', () => {
  /** Returns an endless answer. */
  function stream() {
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({ start: (it) => void (controller = it) })
    return {
      response: () => new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }),
      send: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
      break: (reason: unknown = new TypeError('terminated')) => controller.error(reason),
    }
  }

  async function streaming(socket: unknown = null) {
    const streams = [stream(), stream(), stream()]
    const headers: Headers[] = []
    const signals: AbortSignal[] = []
    const server = fakeServer({ 'GET /version': { body: {} } })
    const network = new FakeDevice()
    const fetch = ((url: string, init: RequestInit) => {
      if (!url.includes('/events')) return server.fetch(url, init)
      headers.push(new Headers(init.headers))
      signals.push(init.signal!)
      const { response, break: fail } = streams[headers.length - 1]!
      init.signal!.addEventListener('abort', () => fail(init.signal!.reason))
      return Promise.resolve(response())
    }) as typeof globalThis.fetch
    const db = await connect<{ Todo: Todo }>('http://test', {
      fetch,
      network,
      WebSocket: socket as new (url: string) => WebSocket,
    })
    return { db, todos: db.bucket('Todo'), network, streams, headers, signals, ...server }
  }

  it('follows a stream, and continues behind its last event', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const { todos, streams, headers } = await streaming()
    const { values, stop } = listen(todos.find().live())

    streams[0]!.send(`id: 7\nevent: result\ndata: ${JSON.stringify([todo('a')])}\n\nid: 8\nevent: ma`)
    await until(() => values().length === 1)
    streams[0]!.break()
    streams[1]!.send(`id: 9\nevent: match\ndata: ${JSON.stringify(match('add', todo('b')))}\n\n`)
    await until(() => values().length === 2)
    stop()
    random.mockRestore()

    expect(headers.map((each) => each.get('Last-Event-ID'))).toEqual([null, '7'])
    expect(values().map(keysOf)).toEqual(['a', 'ab'])
  })

  it('begins a stream anew for another user, behind no event of the one before', async () => {
    const { db, todos, streams, headers } = await streaming()
    const { values, stop } = listen(todos.find().live())
    streams[0]!.send(`id: 7\nevent: result\ndata: ${JSON.stringify([todo('a')])}\n\n`)
    await until(() => values().length === 1)

    db.users.resume({ ...stored('/db/User/ann', 1), username: 'ann' }, null)
    await until(() => headers.length === 2)
    streams[1]!.send(`event: result\ndata: ${JSON.stringify([todo('b')])}\n\n`)
    await until(() => values().length === 3)
    stop()

    expect(headers.map((each) => each.get('Last-Event-ID'))).toEqual([null, null])
    expect(values().map(keysOf)).toEqual(['a', '', 'b'])
  })

  it('ends with the error of the server', async () => {
    const { todos, streams } = await streaming()
    const { error } = listen(todos.find().live())

    streams[0]!.send(
      `event: error\ndata: ${JSON.stringify({ status: 466, reason: 'Permission Denied' })}\n\n`,
    )
    await until(() => error.mock.calls.length > 0)

    expect(error.mock.calls[0]?.[0]).toBeInstanceOf(ServerError)
  })

  it('continues at once when the network is back', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(1000)
    const { todos, streams, headers, network } = await streaming()
    const { connection, stop } = listen(todos.find().live())
    await until(() => headers.length === 1)
    network.become(false)
    streams[0]!.break()
    await until(() => connection.mock.lastCall?.[0] === false)
    const before = headers.length

    network.become(true)
    await until(() => headers.length === 2)
    stop()
    random.mockRestore()

    expect(before).toBe(1)
  })

  it('says for how long nothing had come when a stream is lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    const { todos, streams, headers } = await streaming()
    const { values, connection, stop } = listen(todos.find().live())
    await until(() => headers.length === 1)
    await vi.advanceTimersByTimeAsync(2000)
    streams[0]!.send(`event: result\ndata: []\n\n`)
    await until(() => values().length === 1)

    await vi.advanceTimersByTimeAsync(5000)
    const silence = 5 + (Date.now() % 1)
    streams[0]!.break()
    await until(() => connection.mock.lastCall?.[0] === false)
    stop()
    vi.useRealTimers()

    expect(connection.mock.lastCall?.[1]).toBeCloseTo(silence, 0)
  })

  it('takes a stream for dead that is silent for a minute, and continues behind its last event', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const { todos, streams, headers, signals } = await streaming()
    const { values, connection, stop } = listen(todos.find().live())
    await until(() => headers.length === 1)
    streams[0]!.send(`id: 7\nevent: result\ndata: ${JSON.stringify([todo('a')])}\n\n`)
    await until(() => values().length === 1)

    await vi.advanceTimersByTimeAsync(59_000)
    streams[0]!.send(':\n\n')
    await vi.advanceTimersByTimeAsync(59_000)
    const beforeSilence = signals[0]!.aborted
    await vi.advanceTimersByTimeAsync(1001)
    await until(() => headers.length === 2)
    stop()
    random.mockRestore()
    vi.useRealTimers()

    expect([beforeSilence, signals[0]!.aborted]).toEqual([false, true])
    expect(headers[1]!.get('Last-Event-ID')).toBe('7')
    expect(connection.mock.calls).toEqual([
      [true, 0],
      [false, expect.any(Number)],
      [true, 0],
    ])
  })

  it('takes a stream when a socket does not get through to a server that answers', async () => {
    const { todos, streams } = await streaming(FakeSocket)
    const { values, stop } = listen(todos.find().live())

    ;(await latest()).close()
    streams[0]!.send(`event: result\ndata: ${JSON.stringify([todo('a')])}\n\n`)
    await until(() => values().length === 1)
    stop()

    expect(FakeSocket.opened).toHaveLength(1)
  })

  describe('after a socket was refused', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
    afterEach(() => void vi.useRealTimers())

    const result = (id: number, ...data: object[]) =>
      `id: ${id}\nevent: result\ndata: ${JSON.stringify(data)}\n\n`

    /** Follows a live query over its first stream, after its socket was refused. */
    async function overStream() {
      vi.spyOn(Math, 'random').mockReturnValue(0)
      const at = await streaming(FakeSocket)
      const lists = listen(at.todos.find().live())
      ;(await latest()).close()
      at.streams[0]!.send(result(7, todo('a')))
      await until(() => lists.values().length === 1)
      FakeSocket.opened = []
      return { ...at, ...lists }
    }

    afterEach(() => void vi.restoreAllMocks())

    it('goes back to it with the first stream that is lost, without loss or doubling', async () => {
      const { todos, streams, values, signals, connection } = await overStream()
      const events = listen(todos.find().liveEvents())
      streams[1]!.send(result(7, todo('a')))
      await until(() => events.values().length === 1)

      streams[0]!.break()
      const socket = await latest()
      streams[1]!.send(`id: 8\nevent: match\ndata: ${JSON.stringify(match('add', todo('b')))}\n\n`)
      await until(() => events.values().length === 2)
      socket.open()
      await until(() => signals[1]!.aborted)
      for (const index of [0, 1]) {
        socket.tell({ id: socket.id(index), type: 'result', data: [todo('a'), todo('b'), todo('c')] })
        socket.tell({ id: socket.id(index), type: 'match', ...match('add', todo('d')) })
      }

      expect(socket.sent.filter(({ type }) => type === 'subscribe')).toHaveLength(2)
      expect(signals.slice(1).every(({ aborted }) => aborted)).toBe(true)
      expect(values().map(keysOf).slice(-2)).toEqual(['abc', 'abcd'])
      expect(events.values().map(({ matchType, data }) => `${matchType} ${data.text}`)).toEqual([
        'add a',
        'add b',
        'add c',
        'add d',
      ])
      expect(connection.mock.lastCall).toEqual([true, 0])
    })

    it('stays with the stream if the socket opens, but brings nothing', async () => {
      const { streams, values, connection } = await overStream()

      streams[0]!.break()
      const socket = await latest()
      socket.isDead = true
      socket.open()
      await vi.advanceTimersByTimeAsync(10_000)
      streams[1]!.send(result(8, todo('b')))
      await until(() => values().length === 2)

      expect(socket.readyState).toBe(3)
      expect(socket.sent).toEqual([])
      expect(values().map(keysOf)).toEqual(['a', 'b'])
      expect(connection.mock.lastCall).toEqual([true, 0])
    })

    it('tries it when the network is back', async () => {
      const { network } = await overStream()

      network.become(false)
      network.become(true)

      expect(FakeSocket.opened).toHaveLength(1)
    })

    it('tries it with the first query after a while without any, and with no other', async () => {
      const { todos, stop, headers } = await overStream()
      const other = listen(todos.find().live())
      await until(() => headers.length === 2)
      const withOther = FakeSocket.opened.length
      stop()
      other.stop()

      listen(todos.find().live())
      await until(() => headers.length === 3)

      expect([withOther, FakeSocket.opened.length]).toEqual([0, 1])
    })

    it('closes it again when nobody is left to need it', async () => {
      const { stop, streams } = await overStream()
      streams[0]!.break()
      const socket = await latest()

      stop()
      socket.open()

      expect(socket.readyState).toBe(3)
      expect(FakeSocket.opened).toHaveLength(1)
    })

    it('takes streams when three in a row are refused after one that was not', async () => {
      vi.spyOn(Math, 'random').mockReturnValue(0)
      const { todos, streams, requests } = await streaming(FakeSocket)
      const { values } = listen(todos.find().live())
      const first = await latest()
      first.open()
      first.tell({ id: first.id(), type: 'result', data: [todo('a')] })

      const versions = () => requests().filter((each) => each === 'GET /version').length
      first.close()
      for (const count of [2, 3, 4]) {
        await vi.advanceTimersByTimeAsync(1)
        expect([FakeSocket.opened.length, versions()]).toEqual([count, 0])
        FakeSocket.opened.at(-1)!.close()
      }
      streams[0]!.send(result(7, todo('b')))
      await until(() => values().length === 2)

      expect(versions()).toBe(1)
      expect(values().map(keysOf)).toEqual(['a', 'b'])
    })

    it('does not add up what was refused before and after one that was heard', async () => {
      vi.spyOn(Math, 'random').mockReturnValue(0)
      const { todos, requests } = await streaming(FakeSocket)
      listen(todos.find().live())
      ;(await latest()).open()

      for (const isHeard of [false, false, true, false, false]) {
        FakeSocket.opened.at(-1)!.close()
        await vi.advanceTimersByTimeAsync(1)
        if (isHeard) FakeSocket.opened.at(-1)!.open()
      }

      expect(FakeSocket.opened).toHaveLength(6)
      expect(requests()).toEqual([])
    })

    it('lets go of it with the client', async () => {
      const { db, streams } = await overStream()
      streams[0]!.break()
      const socket = await latest()

      db.close()
      await vi.advanceTimersByTimeAsync(1)

      expect(socket.readyState).toBe(3)
    })

    it('stays with sockets while the server does not answer at all', async () => {
      vi.spyOn(Math, 'random').mockReturnValue(0)
      const { todos } = await connected({ 'GET /version': new TypeError('no network') })
      const { values } = listen(todos.find().live())
      ;(await latest()).close()
      await vi.advanceTimersByTimeAsync(1)
      FakeSocket.opened[1]!.close()
      await vi.advanceTimersByTimeAsync(1)
      const third = FakeSocket.opened[2]!
      third.open()
      third.tell({ id: third.id(), type: 'result', data: [todo('a')] })

      expect(values().map(keysOf)).toEqual(['a'])
    })
  })
})

describe('Live', () => {
  it('gives a loop the newest result, and ends with it', async () => {
    const { todos } = await connected()
    const seen: string[] = []
    const loop = (async () => {
      for await (const { data: list } of todos.find().live()) {
        seen.push(keys(list))
        await new Promise((resolve) => setTimeout(resolve, 20))
        if (seen.length === 2) break
      }
    })()
    const socket = await latest()
    socket.open()
    const id = socket.id()

    socket.tell({ id, type: 'result', data: [] })
    await until(() => seen.length === 1)
    for (const key of ['a', 'b', 'c']) socket.tell({ id, type: 'match', ...match('add', todo(key)) })
    await loop

    expect(seen).toEqual(['', 'abc'])
    expect(socket.readyState).toBe(3)
  })

  it('gives a loop every event, and throws the error of the server in it', async () => {
    const { todos } = await connected()
    const seen: LiveEvent<Stored<Todo>>[] = []
    const loop = (async () => {
      for await (const event of todos.find().liveEvents()) seen.push(event)
    })()
    const socket = await latest()
    socket.open()
    const id = socket.id()

    socket.tell({ id, type: 'result', data: [todo('a')] })
    socket.tell({ id, type: 'match', ...match('change', todo('a', 2)) })
    socket.tell({ id, type: 'error', error: { status: 466, reason: 'Permission Denied' } })

    await expect(loop).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(seen.map(({ matchType }) => matchType)).toEqual(['add', 'change'])
  })

  it('ends a loop that waits', async () => {
    const undo = vi.fn()
    const loop = new LiveQuery<string>(() => undo, true)[Symbol.asyncIterator]()
    const waiting = loop.next()
    await settled()

    await loop.return?.()

    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await loop.next()).toEqual({ done: true, value: undefined })
    expect(undo).toHaveBeenCalledOnce()
  })

  it('ends by a signal, before it begins or later', () => {
    const [start, undo, next] = [vi.fn(), vi.fn(), vi.fn()]
    const aborter = new AbortController()
    let tell = (_: string) => {}
    const live = new LiveQuery<string>((observer) => {
      start()
      tell = observer.next
      return undo
    }, true)

    live.subscribe(next, { signal: aborter.signal })
    tell('a')
    aborter.abort()
    tell('b')
    live.subscribe(next, { signal: aborter.signal })

    expect(next.mock.calls).toEqual([['a']])
    expect([start, undo].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  })

  it('tells no event of those that came together once it is undone', async () => {
    const { todos } = await connected()
    const next = vi.fn(() => stop())
    const stop = todos.find().liveEvents().subscribe(next)
    const socket = await latest()
    socket.open()

    socket.tell({ id: socket.id(), type: 'result', data: [todo('a'), todo('b')] })

    expect(next).toHaveBeenCalledOnce()
  })

  it('is an observable by the symbol that was defined before', async () => {
    const observable = Symbol('observable')
    vi.stubGlobal('Symbol', Object.assign(Object.create(Symbol) as object, { observable }))
    vi.resetModules()
    const { Live: Fresh } = await import('../src/query/live.js')
    vi.unstubAllGlobals()
    const live = new Fresh<string>(() => () => {}, true)

    expect((live as unknown as { [key: symbol]: () => unknown })[observable]?.()).toBe(live)
  })

  it('is an observable to those who look for one', async () => {
    const { todos } = await connected()
    const live = todos.find().live()

    expect(live['@@observable']()).toBe(live)
  })
})

describe('difference', () => {
  const elements = { keyOf: ([key]: string) => key!, stateOf: (each: string) => each }
  const of = (before: string[], after: string[], isOrdered: boolean) =>
    difference(before as unknown as object[], after as unknown as object[], elements as never, isOrdered).map(
      ({ matchType, data, index }) =>
        [matchType, data as unknown as string, ...(index === undefined ? [] : [index])].join(' '),
    )

  it('tells moves and places in ordered results alone', () => {
    expect(of(['a', 'b', 'c'], ['c', 'a', 'd'], true)).toEqual(['remove b', 'changeIndex c 0', 'add d 2'])
    expect(of(['a', 'b', 'c'], ['c', 'a', 'd'], false)).toEqual(['remove b', 'add d'])
    expect(of(['a1', 'b1'], ['a2', 'b1'], true)).toEqual(['change a2 0'])
    expect(of(['a1', 'b1'], ['b2', 'a1'], true)).toEqual(['changeIndex b2 0'])
    expect(of(['a'], ['a'], true)).toEqual([])
  })
})

describe('EventParser', () => {
  const parse = (pieces: string[], last?: string) => {
    const events: StreamEvent[] = []
    const parser = new EventParser((event) => events.push(event), last)
    pieces.forEach((piece) => parser.push(piece))
    return { events, id: parser.lastEventId }
  }

  it('takes events in whatever pieces they come', () => {
    const text = 'id: 1\r\nevent: match\r\ndata: {"a":\r\ndata: 1}\r\n\r\n:\n\nid: 2\n\ndata:x\n\n'
    const expected = {
      events: [
        { type: 'match', data: '{"a":\n1}' },
        { type: 'message', data: 'x' },
      ],
      id: '2',
    }

    expect(parse([text])).toEqual(expected)
    expect(parse([...text])).toEqual(expected)
  })

  it('keeps the id it continues from until there is another, and takes none of an event that is cut off', () => {
    expect(parse(['data: x\n\n'], '5').id).toBe('5')
    expect(parse(['id: 6\ndata: x\n'], '5')).toEqual({ events: [], id: '5' })
  })
})
