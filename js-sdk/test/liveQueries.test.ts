import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import {
  connect,
  Live as LiveQuery,
  type Live,
  type LiveEvent,
  ServerError,
  type Stored,
} from '../src/index.js'
import { EventParser, type StreamEvent } from '../src/live/eventParser.js'
import { difference } from '../src/live/follow.js'
import { fakeServer, stored } from './fakeServer.js'

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

/** A socket that a test plays the server of. */
class FakeSocket {
  static opened: FakeSocket[] = []
  readyState = 0
  onopen = () => {}
  onmessage = (_: { data: string }) => {}
  onclose = () => {}
  onerror = () => {}
  sent: { type: string; id: string; [member: string]: unknown }[] = []

  constructor(readonly url: string) {
    FakeSocket.opened.push(this)
  }

  open() {
    this.readyState = 1
    this.onopen()
  }

  send(text: string) {
    this.sent.push(JSON.parse(text) as FakeSocket['sent'][number])
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
  const db = await connect<{ Todo: Todo }>('http://test', {
    fetch: server.fetch,
    WebSocket: socket as new (url: string) => WebSocket,
  })
  return { db, todos: db.bucket('Todo'), ...server }
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
const latest = () => vi.waitUntil(() => FakeSocket.opened.at(-1))

beforeEach(() => {
  FakeSocket.opened = []
})

describe('a live query over a socket', () => {
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
    expect(values().map(keys)).toEqual(['bc', 'c', 'cd', 'dc'])
    expectTypeOf(values()).toEqualTypeOf<(readonly Stored<Todo>[])[]>()
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
    expect(two.values().map(keys)).toEqual(['x'])
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
    expect(two.values().map(keys)).toEqual(['a'])
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
    expect(values().map(keys)).toEqual(['a', '', 'c'])
    expect(events.values().map(({ matchType }) => matchType)).toEqual(['add', 'remove'])

    db.users.logout()
    await settled()
    expect(socket.sent.at(-2)).not.toHaveProperty('token')
    expect(values().map(keys)).toEqual(['a', '', 'c', ''])
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
    await vi.waitUntil(() => error.mock.calls.length > 0)

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
    expect(lists.connection.mock.calls).toEqual([[true], [false], [true]])
    expect(lists.values().map(keys)).toEqual(['ab', 'bc'])
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

    expect(values().map(keys)).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(FakeSocket.opened).toHaveLength(3)
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
    expect(values().map(keys)).toEqual(['a'])
  })
})

describe('a live query without a socket', () => {
  /** An answer that does not end by itself. */
  function stream() {
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({ start: (it) => void (controller = it) })
    return {
      response: () => new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }),
      send: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
      break: () => controller.error(new TypeError('terminated')),
    }
  }

  async function streaming(socket: unknown = null) {
    const streams = [stream(), stream()]
    const headers: Headers[] = []
    const server = fakeServer({ 'GET /version': { body: {} } })
    const fetch = ((url: string, init: RequestInit) => {
      if (!url.includes('/events')) return server.fetch(url, init)
      headers.push(new Headers(init.headers))
      return Promise.resolve(streams[headers.length - 1]!.response())
    }) as typeof globalThis.fetch
    const db = await connect<{ Todo: Todo }>('http://test', {
      fetch,
      WebSocket: socket as new (url: string) => WebSocket,
    })
    return { db, todos: db.bucket('Todo'), streams, headers }
  }

  it('follows a stream, and continues behind its last event', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const { todos, streams, headers } = await streaming()
    const { values, stop } = listen(todos.find().live())

    streams[0]!.send(`id: 7\nevent: result\ndata: ${JSON.stringify([todo('a')])}\n\nid: 8\nevent: ma`)
    await vi.waitUntil(() => values().length === 1)
    streams[0]!.break()
    streams[1]!.send(`id: 9\nevent: match\ndata: ${JSON.stringify(match('add', todo('b')))}\n\n`)
    await vi.waitUntil(() => values().length === 2)
    stop()
    random.mockRestore()

    expect(headers.map((each) => each.get('Last-Event-ID'))).toEqual([null, '7'])
    expect(values().map(keys)).toEqual(['a', 'ab'])
  })

  it('begins a stream anew for another user, behind no event of the one before', async () => {
    const { db, todos, streams, headers } = await streaming()
    const { values, stop } = listen(todos.find().live())
    streams[0]!.send(`id: 7\nevent: result\ndata: ${JSON.stringify([todo('a')])}\n\n`)
    await vi.waitUntil(() => values().length === 1)

    db.users.resume({ ...stored('/db/User/ann', 1), username: 'ann' }, null)
    await vi.waitUntil(() => headers.length === 2)
    streams[1]!.send(`event: result\ndata: ${JSON.stringify([todo('b')])}\n\n`)
    await vi.waitUntil(() => values().length === 3)
    stop()

    expect(headers.map((each) => each.get('Last-Event-ID'))).toEqual([null, null])
    expect(values().map(keys)).toEqual(['a', '', 'b'])
  })

  it('ends with the error of the server', async () => {
    const { todos, streams } = await streaming()
    const { error } = listen(todos.find().live())

    streams[0]!.send(
      `event: error\ndata: ${JSON.stringify({ status: 466, reason: 'Permission Denied' })}\n\n`,
    )
    await vi.waitUntil(() => error.mock.calls.length > 0)

    expect(error.mock.calls[0]?.[0]).toBeInstanceOf(ServerError)
  })

  it('takes a stream when a socket does not get through to a server that answers', async () => {
    const { todos, streams } = await streaming(FakeSocket)
    const { values, stop } = listen(todos.find().live())

    ;(await latest()).close()
    streams[0]!.send(`event: result\ndata: ${JSON.stringify([todo('a')])}\n\n`)
    await vi.waitUntil(() => values().length === 1)
    stop()

    expect(FakeSocket.opened).toHaveLength(1)
  })
})

describe('Live', () => {
  it('gives a loop the newest result, and ends with it', async () => {
    const { todos } = await connected()
    const seen: string[] = []
    const loop = (async () => {
      for await (const list of todos.find().live()) {
        seen.push(keys(list))
        await new Promise((resolve) => setTimeout(resolve, 20))
        if (seen.length === 2) break
      }
    })()
    const socket = await latest()
    socket.open()
    const id = socket.id()

    socket.tell({ id, type: 'result', data: [] })
    await vi.waitUntil(() => seen.length === 1)
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
