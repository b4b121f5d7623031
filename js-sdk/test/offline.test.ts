import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProtocolError } from '../src/index.js'
import {
  type Conflict,
  type Decision,
  memoryQueue,
  type OfflineBucket,
  openQueue,
  type OfflineQueue,
  type QueueStore,
  webQueue,
} from '../src/offline.js'
import { optimistic } from '../src/optimistic.js'
import { eventually } from './eventually.js'
import { connected, deferred, FakeDevice, pathOf, subscribed, todo, type Todo } from './frameworks.js'

type Scripts = NonNullable<Parameters<typeof connected>[0]>

const FAILED = new TypeError('no network')
const REFUSED = {
  status: 412,
  body: { status: 412, reason: 'Object Out Of Date', message: 'others were faster' },
}

const opened: OfflineQueue[] = []
let device: FakeDevice

beforeEach(() => {
  device = new FakeDevice()
})

afterEach(() => {
  opened.splice(0).forEach((each) => each.close())
  vi.useRealTimers()
})

/** Returns a queue whose conflicts are decided by the test, in order. */
async function queueOf(scripts: Scripts, decisions: Decision[] = [], store: QueueStore = memoryQueue()) {
  const at = await connected(scripts, device)
  const conflicts: Conflict[] = []
  const onConflict = (conflict: Conflict) => {
    conflicts.push(conflict)
    const decision = decisions.shift()
    if (decision === undefined) throw new Error('not decided')
    return decision
  }
  offline(!device.onLine)
  const queue = await openQueue(at.db, { store, onConflict })
  opened.push(queue)
  const requests = () => at.requests().filter((each) => each !== 'GET /version')
  return { ...at, requests, queue, conflicts, store, todos: queue.bucket<Todo>('Todo') }
}

const offline = (isOffline = true) => device.become(!isOffline)

const emptied = (queue: OfflineQueue) => eventually(() => expect(queue.writes).toEqual([]))

describe('a queue of writes', () => {
  it('keeps them while offline, and sends them in their order when there is a network', async () => {
    offline()
    const { todos, queue, requests } = await queueOf({
      'POST /db/Todo': { body: todo('a') },
      'POST /db/Todo/a': { body: todo('a', 2) },
      'DELETE /db/Todo/a': { status: 204 },
    })
    await todos.insert({ id: 'a', text: 'a' })
    await todos.update('a', (change) => change.inc('priority'))
    await todos.delete('a')
    await eventually(() => expect(queue.problem).toMatchObject({ isOffline: true }))
    expect(requests()).toEqual([])
    expect(queue.writes.map(({ kind, isDoubtful }) => `${kind} ${isDoubtful}`)).toEqual([
      'insert false',
      'update false',
      'delete false',
    ])

    offline(false)

    await emptied(queue)
    expect(requests()).toEqual(['POST /db/Todo', 'POST /db/Todo/a', 'DELETE /db/Todo/a'])
    expect(queue.problem).toBeUndefined()
  })

  it('does not put a write in doubt while the server is known not to answer', async () => {
    const { db, todos, queue, asked } = await queueOf({
      'GET /version': [FAILED, { body: {} }],
      'GET /bloomfilter': FAILED,
      'POST /db/Todo/a': { body: todo('a', 2) },
    })
    await expect(db.refresh()).rejects.toThrow('no network')
    await todos.update('a', (change) => change.inc('priority'))
    await expect(queue.flush()).rejects.toMatchObject({ code: 'CONNECTION', isOffline: false })
    expect(queue.writes).toMatchObject([{ isDoubtful: false }])

    await queue.flush()

    expect(queue.writes).toEqual([])
    expect(asked.slice(2).map(({ path }) => path)).toEqual(['/version', '/version', '/db/Todo/a'])
  })

  it('goes on with what an earlier page left', async () => {
    offline()
    const first = await queueOf({})
    await first.todos.save({ id: '/db/Todo/a', text: 'a' })
    first.queue.close()
    offline(false)

    const { queue, requests } = await queueOf({ 'PUT /db/Todo/a': { body: todo('a') } }, [], first.store)

    await emptied(queue)
    expect(requests()).toEqual(['PUT /db/Todo/a'])
  })

  it('tells what is refused, and does what is decided', async () => {
    offline()
    const { todos, queue, conflicts, requests, asked } = await queueOf(
      {
        'PUT /db/Todo/a': [REFUSED, REFUSED, { body: todo('a', 7) }],
        'PUT /db/Todo/b': [REFUSED],
      },
      [
        'again',
        {
          key: '',
          kind: 'replace',
          bucket: 'Todo',
          id: '/db/Todo/a',
          user: null,
          isDoubtful: false,
          ifMatch: 6,
          body: { id: '/db/Todo/a', text: 'merged' },
        },
        'drop',
      ],
    )
    await todos.replace({ id: '/db/Todo/a', version: 3, text: 'a' })
    await todos.replace({ id: '/db/Todo/b', version: 1, text: 'b' })
    offline(false)
    await queue.flush()

    expect(conflicts.map(({ error, mayBeDone }) => [(error as ProtocolError).code, mayBeDone])).toEqual(
      Array(3).fill(['OBJECT_OUT_OF_DATE', false]),
    )
    expect(requests()).toEqual(['PUT /db/Todo/a', 'PUT /db/Todo/a', 'PUT /db/Todo/a', 'PUT /db/Todo/b'])
    expect(asked.map(({ headers }) => headers.get('If-Match')).filter(Boolean)).toEqual([
      '"3"',
      '"3"',
      '"6"',
      '"1"',
    ])
    expect(queue.writes).toEqual([])
  })

  it('keeps a write that nobody decides about, and those behind it', async () => {
    offline()
    const { todos, queue, requests } = await queueOf({ 'PUT /db/Todo/a': REFUSED })
    await todos.replace({ id: '/db/Todo/a', version: 3, text: 'a' })
    await todos.save({ id: '/db/Todo/b', text: 'b' })
    offline(false)

    await expect(queue.flush()).rejects.toThrow('not decided')

    expect(queue.writes.map(({ id }) => id)).toEqual(['/db/Todo/a', '/db/Todo/b'])
    expect(requests()).toEqual(['PUT /db/Todo/a'])
  })

  it('does not count twice what may have been done', async () => {
    const { todos, queue, conflicts, requests } = await queueOf({ 'POST /db/Todo/a': FAILED }, ['drop'])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await todos.update('a', (change) => change.inc('priority'))
    await expect(queue.flush()).rejects.toMatchObject({ code: 'CONNECTION' })
    expect(queue.writes[0]?.isDoubtful).toBe(true)

    await queue.flush()

    expect(requests()).toEqual(['POST /db/Todo/a'])
    expect(conflicts).toMatchObject([{ mayBeDone: true, error: { code: 'CONNECTION' } }])
    expect(queue.writes).toEqual([])
  })

  it('notes a write as doubtful before it is sent, as the page may end before the answer', async () => {
    const answer = deferred<{ body: unknown }>()
    const { todos, queue, store, requests } = await queueOf({ 'POST /db/Todo/a': () => answer.promise })
    await todos.update('a', (change) => change.inc('priority'))
    await eventually(() => expect(requests()).toHaveLength(1))

    expect(await store.change((writes) => writes)).toMatchObject([{ isDoubtful: true }])
    answer.resolve({ body: todo('a', 2) })
    await emptied(queue)
  })

  it.each([
    [
      'what changes nothing the second time',
      (todos: Queued) => todos.update('a', { $set: { text: 'a' } }),
      'POST /db/Todo/a',
    ],
    [
      'what has a condition',
      (todos: Queued) => todos.update('a', { $inc: { priority: 1 } }, { ifMatch: 1 }),
      'POST /db/Todo/a',
    ],
    ['an insertion', (todos: Queued) => todos.insert({ id: 'a', text: 'a' }), 'POST /db/Todo'],
  ])('sends again %s', async (_, write, request) => {
    const { todos, queue, conflicts, requests } = await queueOf({
      [request]: [FAILED, { body: todo('a', 2) }],
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await write(todos)
    await expect(queue.flush()).rejects.toMatchObject({ code: 'CONNECTION' })

    await queue.flush()

    expect(requests()).toEqual([request, request])
    expect(conflicts).toEqual([])
  })

  it('tries again by itself after a pause, and as late as the server wants', async () => {
    const busy = {
      status: 503,
      body: { status: 503, reason: 'Unavailable' },
      headers: { 'Retry-After': '30' },
    }
    const { todos, queue, requests } = await queueOf({ 'PUT /db/Todo/a': [busy, { body: todo('a') }] })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await todos.save({ id: '/db/Todo/a', text: 'a' })
    await expect(queue.flush()).rejects.toMatchObject({ code: 'UNAVAILABLE' })

    await vi.advanceTimersByTimeAsync(29_000)
    expect(requests()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(3000)

    expect(requests()).toHaveLength(2)
    expect(queue.writes).toEqual([])
  })

  it('goes on from its own version, and from nobody else’s', async () => {
    offline()
    const { todos, queue, asked, conflicts } = await queueOf(
      {
        'POST /db/Todo': { body: todo('a') },
        'PUT /db/Todo/a': [{ body: todo('a', 2) }, { body: todo('a', 3) }],
        'POST /db/Todo/b': { body: todo('b', 9) },
        'PUT /db/Todo/b': REFUSED,
      },
      ['drop'],
    )
    await todos.insert({ id: 'a', text: 'a' })
    await todos.replace({ id: '/db/Todo/a', version: 0, text: 'A' })
    await todos.replace({ id: '/db/Todo/a', version: 0, text: 'AA' })
    await todos.update('b', { $set: { text: 'b' } })
    await todos.replace({ id: '/db/Todo/b', version: 4, text: 'B' })
    offline(false)
    await queue.flush()

    expect(asked.map(({ headers }) => headers.get('If-Match')).filter(Boolean)).toEqual(['"1"', '"2"', '"4"'])
    expect(conflicts).toHaveLength(1)
  })

  it('sends nobody’s writes as somebody else', async () => {
    const store = memoryQueue([
      { key: '1', kind: 'delete', bucket: 'Todo', id: '/db/Todo/a', user: '/db/User/ann', isDoubtful: false },
    ])
    const { queue, requests } = await queueOf({}, [], store)

    await queue.flush()

    expect(requests()).toEqual([])
    expect(queue.writes).toHaveLength(1)
  })

  it('waits for a new session when the old one has ended', async () => {
    const ended = { status: 460, body: { status: 460, reason: 'Bad Credentials' } }
    const { todos, queue, conflicts } = await queueOf({ 'DELETE /db/Todo/a': ended })
    await todos.delete('a')

    await expect(queue.flush()).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })

    expect(queue.writes).toMatchObject([{ isDoubtful: false }])
    expect(conflicts).toEqual([])
  })

  it('shows what is queued in live results, until it is done or dropped', async () => {
    const { db, todos, queue } = await queueOf(
      {
        [`GET ${pathOf({})}`]: { body: [] },
        'POST /db/Todo': [
          { body: todo('a') },
          { status: 466, body: { status: 466, reason: 'Permission Denied' } },
        ],
      },
      ['drop'],
    )
    const seen: string[] = []
    const stop = optimistic(db)
      .live(db.bucket('Todo').find())
      .subscribe(({ data }) => seen.push(data.map(({ text, version }) => `${text}${version}`).join(' ')))
    const socket = await subscribed()
    socket.tell('result', { data: [] })
    offline()
    await todos.insert({ id: 'a', text: 'a' })
    await todos.insert({ id: 'b', text: 'b' })
    expect(seen.at(-1)).toBe('a0 b0')

    offline(false)
    await queue.flush()
    await eventually(() => expect(seen.at(-1)).toBe('a1'))

    stop()
  })
})

type Queued = OfflineBucket<Todo>

describe('a queue in the storage of a page', () => {
  const storage = (text: string | null = null) => {
    let kept = text
    return {
      getItem: () => kept,
      setItem: (_: string, value: string) => void (kept = value),
      kept: () => kept,
    }
  }

  it('survives the page, and is sent by one tab at a time', async () => {
    const place = storage()
    const request = vi.fn(async (_: string, task: () => Promise<void>) => task())
    const store = webQueue({ storage: place, key: 'todos', locks: { request } as unknown as LockManager })
    offline()
    const { todos, queue } = await queueOf({ 'PUT /db/Todo/a': { body: todo('a') } }, [], store)
    const text = { text: 'a' }
    await todos.save({ id: '/db/Todo/a', ...text })
    expect(JSON.parse(place.kept() ?? '')).toMatchObject([{ kind: 'save', body: text }])

    offline(false)
    await queue.flush()

    expect(place.kept()).toBe('[]')
    expect(request).toHaveBeenCalledWith('todos', expect.any(Function))
  })

  it.each(['{', '{}'])('does not touch what it cannot read: %s', async (text) => {
    const place = storage(text)

    await expect(queueOf({}, [], webQueue({ storage: place }))).rejects.toThrow(ProtocolError)

    expect(place.kept()).toBe(text)
  })

  it('does not say that a write is kept if it is not', async () => {
    const place = storage()
    const store = webQueue({ storage: place })
    const { todos, queue } = await queueOf({}, [], store)
    place.setItem = () => {
      throw new Error('full')
    }

    await expect(todos.save({ id: '/db/Todo/a', text: 'a' })).rejects.toThrow('full')

    expect(queue.writes).toEqual([])
  })
})
