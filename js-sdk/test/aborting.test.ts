import { afterEach, describe, expect, it, vi } from 'vitest'
import { orAborted } from '../src/aborting.js'
import { type LiveQuery, subscribe } from '../src/index.js'
import { memoryQueue, openQueue, type QueuedWrite, type QueueStore } from '../src/offline.js'
import { optimistic } from '../src/optimistic.js'
import { takeSnapshot } from '../src/react.js'
import { readTypes } from '../src/types.js'
import { Watches } from '../src/watching/watches.js'
import { eventually } from './eventually.js'
import { connected, deferred, FakeSocket, pathOf, subscribed, todo, type Todo } from './frameworks.js'

const REASON = new Error('no longer wanted')

const hanging = () => new Promise<never>(() => {})

afterEach(() => vi.unstubAllGlobals())

describe('a wait that is aborted', () => {
  it('ends at once, and hears nothing of a later failure', async () => {
    const aborter = new AbortController()
    const { promise, reject } = deferred<void>()
    const waiting = orAborted(promise, aborter.signal)

    aborter.abort(REASON)
    reject(new Error('too late'))

    await expect(waiting).rejects.toBe(REASON)
  })

  it('does not begin if it was aborted before', async () => {
    await expect(orAborted(hanging(), AbortSignal.abort(REASON))).rejects.toBe(REASON)
  })

  it('lets go of the signal', async () => {
    const { signal } = new AbortController()
    const removed = vi.spyOn(signal, 'removeEventListener')

    expect(await orAborted(Promise.resolve(7), signal)).toBe(7)

    await eventually(() => expect(removed).toHaveBeenCalledOnce())
  })
})

describe('an abort ends', () => {
  it('the wait for a filter, which others get nevertheless', async () => {
    const { promise, resolve } = deferred<{ body: object }>()
    const { db } = await connected({ 'GET /bloomfilter': () => promise })
    const aborter = new AbortController()
    const [one, other] = [db.refresh({ signal: aborter.signal }), db.refresh()]

    aborter.abort(REASON)
    await expect(one).rejects.toBe(REASON)
    resolve({ body: { m: 64, h: 3, b: '' } })

    await other
  })

  it('the reading of types', async () => {
    const aborter = new AbortController()
    const fetch = (_: unknown, init?: RequestInit) =>
      new Promise<never>((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new TypeError('aborted'))),
      )
    const types = readTypes('http://test', { fetch, signal: aborter.signal })

    aborter.abort(REASON)

    await expect(types).rejects.toBe(REASON)
  })

  it('the taking of a snapshot', async () => {
    const { db, todos } = await connected()

    const snapshot = takeSnapshot(db, [todos.find(), '/db/Todo/a'], { signal: AbortSignal.abort(REASON) })

    await expect(snapshot).rejects.toBe(REASON)
  })

  it('a stream of events, and opens none if it came before', () => {
    const sources: { url: string; close: () => void }[] = []
    class Source extends EventTarget {
      readonly close = vi.fn()
      constructor(readonly url: string) {
        super()
        sources.push(this)
      }
    }
    const EventSource = Source as unknown as NonNullable<LiveQuery['EventSource']>
    const aborter = new AbortController()

    subscribe({ bucket: 'Todo', EventSource }, {}, { signal: aborter.signal })
    aborter.abort()
    subscribe({ bucket: 'Todo', EventSource }, {}, { signal: aborter.signal })

    expect(sources).toHaveLength(1)
    expect(sources[0]!.close).toHaveBeenCalledOnce()
  })

  it.each(['live', 'liveEvents', 'liveAggregate', 'optimistic'] as const)(
    'a loop over %s that waits, and frees the server',
    async (kind) => {
      const { db, todos } = await connected({
        [`GET ${pathOf({})}`]: { body: [] },
      })
      const { signal, abort } = aborting()
      const live = {
        live: () => todos.find().live({ signal }),
        liveEvents: () => todos.find().liveEvents({ signal }),
        liveAggregate: () => todos.find().liveAggregate({ _id: '$done' }, { signal }),
        optimistic: () => optimistic(db).live(todos.find(), { signal }),
      }[kind]()
      const ended = (async () => {
        for await (const value of live) void value
        return 'ended'
      })()
      const socket = await subscribed()

      abort()

      expect(await ended).toBe('ended')
      await eventually(() => expect(socket.subscriptions()).toEqual([]))
    },
  )

  it('a loop before it begins', async () => {
    const { todos } = await connected()
    const seen: unknown[] = []

    for await (const list of todos.find().live({ signal: AbortSignal.abort() })) seen.push(list)

    expect(seen).toEqual([])
    expect(FakeSocket.opened).toEqual([])
  })

  it('the opening of a queue whose store does not answer, of which nothing is shown later', async () => {
    const { db } = await connected()
    const [{ promise, resolve }, { signal, abort }] = [deferred<QueuedWrite[]>(), aborting()]
    const opening = openQueue(db, { store: { change: () => promise }, onConflict: () => 'drop', signal })

    abort()
    await expect(opening).rejects.toBe(REASON)
    const write = { key: 'k', bucket: 'Todo', id: '/db/Todo/a', user: null, isDoubtful: false }
    resolve([{ ...write, kind: 'delete' }])
    await promise

    expect(Watches.of(db).overlay.writes).toEqual([])
  })
})

function aborting() {
  const aborter = new AbortController()
  return { signal: aborter.signal, abort: () => aborter.abort(REASON) }
}

describe('a queued write that is aborted', () => {
  async function queueOn(store: QueueStore) {
    const { db } = await connected({ 'POST /db/Todo': () => hanging() })
    const queue = await openQueue(db, { store, onConflict: () => 'drop' })
    return { queue, todos: queue.bucket<Todo>('Todo') }
  }

  it.each([
    ['insert', (todos, signal) => todos.insert({ text: 'x' }, { signal })],
    ['replace', (todos, signal) => todos.replace({ id: '/db/Todo/a', text: 'x' }, { signal })],
    ['save', (todos, signal) => todos.save({ id: '/db/Todo/a', text: 'x' }, { signal })],
    ['update', (todos, signal) => todos.update('a', { $set: { text: 'x' } }, { signal })],
    ['delete', (todos, signal) => todos.delete('a', { signal })],
  ] as [
    string,
    (todos: Awaited<ReturnType<typeof queueOn>>['todos'], signal: AbortSignal) => Promise<unknown>,
  ][])('before it is kept is not kept: %s', async (_, write) => {
    const kept = memoryQueue()
    const turn = deferred<void>()
    const changes: ReturnType<QueueStore['change']>[] = []
    const { queue, todos } = await queueOn({
      change: (change) => {
        const before = changes.length === 0 ? Promise.resolve() : turn.promise
        changes.push(before.then(() => kept.change(change)))
        return changes.at(-1)!
      },
    })
    const { signal, abort } = aborting()
    const writing = write(todos, signal)

    abort()
    await expect(writing).rejects.toBe(REASON)
    turn.resolve()
    await Promise.allSettled(changes)

    expect(await kept.change((writes) => writes)).toEqual([])
    expect(queue.writes).toEqual([])
    queue.close()
  })

  it('while it is being kept is kept, and the call says so', async () => {
    const kept = memoryQueue()
    const turn = deferred<void>()
    let isSlow = false
    const { queue, todos } = await queueOn({
      change: async (change) => {
        const writes = await kept.change(change)
        if (isSlow) await turn.promise
        return writes
      },
    })
    isSlow = true
    const { signal, abort } = aborting()
    const writing = todos.insert({ id: 'a', text: 'x' }, { signal })
    await eventually(async () => expect(await kept.change((writes) => writes)).toHaveLength(1))

    abort()
    turn.resolve()

    expect(await writing).toMatchObject({ id: '/db/Todo/a' })
    expect(await writing).not.toHaveProperty('signal')
    queue.close()
  })

  it('is sent although nobody waits for that any more', async () => {
    const { promise, resolve } = deferred<{ body: object }>()
    const { db } = await connected({ 'POST /db/Todo': () => promise })
    const queue = await openQueue(db, { store: memoryQueue(), onConflict: () => 'drop' })
    await queue.bucket<Todo>('Todo').insert({ id: 'a', text: 'a' })
    const { signal, abort } = aborting()
    const flushing = queue.flush({ signal })

    abort()
    await expect(flushing).rejects.toBe(REASON)
    resolve({ body: todo('a') })

    await eventually(() => expect(queue.writes).toEqual([]))
    queue.close()
  })
})
