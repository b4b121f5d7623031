import { describe, expect, it, vi } from 'vitest'
import { optimistic } from '../src/optimistic.js'
import { applied } from '../src/optimistic/applying.js'
import { inOrder, matches } from '../src/optimistic/matching.js'
import { overlaid, type ShownWrite } from '../src/optimistic/overlay.js'
import type { Query, Stored } from '../src/index.js'
import { connected, deferred, pathOf, subscribed, todo, type Todo } from './frameworks.js'

interface Answer {
  status?: number
  body?: unknown
}

/** Returns a client with a live query, whose answers to writes the test gives. */
async function shown(result: object[], choose = (all: Query<Todo>) => all, path = pathOf({})) {
  const answers = new Map<string, ReturnType<typeof deferred<Answer>>>()
  const later = (request: string) => {
    const answer = deferred<Answer>()
    answers.set(request, answer)
    return () => answer.promise
  }
  const at = await connected({
    [`GET ${path}`]: { body: result },
    'POST /db/Todo/a': later('update'),
    'POST /db/Todo': later('insert'),
    'DELETE /db/Todo/a': later('delete'),
    'PUT /db/Todo/a': later('replace'),
  })
  const mine = optimistic(at.db)
  const lists: (readonly Stored<Todo>[])[] = []
  const undo = mine.live(choose(at.todos.find())).subscribe(({ data }) => lists.push(data))
  const socket = await subscribed()
  socket.tell('result', { data: result })
  return {
    socket,
    undo,
    todos: mine.bucket<Todo>('Todo'),
    answer: (request: string, answer: Answer) => answers.get(request)?.resolve(answer),
    latest: () =>
      lists
        .at(-1)
        ?.map(({ text, version }) => `${text}${version}`)
        .join(' '),
    priorities: () => lists.map((list) => list[0]?.priority),
    history: () => lists.map((list) => list.map(({ text, version }) => `${text}${version}`).join(' ')),
  }
}

const REFUSED = { status: 466, body: { status: 466, reason: 'Permission Denied', message: 'no' } }

describe('a write that is shown', () => {
  it('stays until the query tells it, without the old state in between', async () => {
    const { todos, socket, answer, latest, history, undo } = await shown([todo('a')])

    const done = todos.update('a', (change) => change.set('text', 'A'))
    expect(latest()).toBe('A1')
    answer('update', { body: todo('a', 2, { text: 'A' }) })
    await done
    expect(latest()).toBe('A2')
    socket.tell('match', { matchType: 'add', operation: 'insert', data: todo('b') })
    socket.tell('match', { matchType: 'change', operation: 'update', data: todo('a', 2, { text: 'A' }) })
    socket.tell('match', { matchType: 'change', operation: 'update', data: todo('a', 3, { text: 'other' }) })

    expect(latest()).toBe('other3 b1')
    expect(history().slice(2)).not.toContain('a1 b1')
    undo()
  })

  it.each(['update', 'replace', 'insert', 'delete'] as const)(
    'disappears when the %s is refused',
    async (kind) => {
      const { todos, answer, latest, undo } = await shown([todo('a')])
      const calls = {
        update: () => todos.update('a', { $set: { text: 'A' } }),
        replace: () => todos.replace({ ...todo('a'), text: 'A' }),
        insert: () => todos.insert({ id: 'b', text: 'b' }),
        delete: () => todos.delete('a'),
      }
      const expected = { update: 'A1', replace: 'A1', insert: 'a1 b0', delete: '' }

      const refused = calls[kind]()
      expect(latest()).toBe(expected[kind])
      answer(kind, REFUSED)

      await expect(refused).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
      expect(latest()).toBe('a1')
      undo()
    },
  )

  it('is not applied twice if the event is faster than the answer', async () => {
    const { todos, socket, answer, priorities, undo } = await shown([todo('a', 1, { priority: 1 })])
    const done = todos.update('a', (change) => change.inc('priority'))

    socket.tell('match', { matchType: 'change', operation: 'update', data: todo('a', 2, { priority: 2 }) })
    answer('update', { body: todo('a', 2, { priority: 2 }) })
    await done

    expect(new Set(priorities())).toEqual(new Set([1, 2]))
    undo()
  })

  it('counts each of several once, in whatever order events and answers come', async () => {
    const answers = [deferred<Answer>(), deferred<Answer>(), deferred<Answer>()]
    const of = (version: number) => todo('a', version, { priority: version })
    const change = (version: number) => ({ matchType: 'change', operation: 'update', data: of(version) })
    const at = await connected({
      [`GET ${pathOf({})}`]: { body: [of(1)] },
      'POST /db/Todo/a': answers.map(
        ({ promise }) =>
          () =>
            promise,
      ),
    })
    const seen: (number | undefined)[] = []
    const mine = optimistic(at.db)
    const undo = mine.live(at.todos.find()).subscribe(({ data, source }) => {
      seen.push(data[0]?.priority)
      expect(['server', 'live']).toContain(source)
    })
    const socket = await subscribed()
    socket.tell('result', { data: [of(1)] })
    const done = answers.map(() => mine.bucket<Todo>('Todo').update('a', (update) => update.inc('priority')))
    const from = seen.length

    socket.tell('match', change(2))
    answers[2]?.resolve({ body: of(2) })
    await done[2]
    answers[0]?.resolve({ body: of(4) })
    await done[0]
    socket.tell('match', change(4))
    answers[1]?.resolve({ body: of(3) })
    await done[1]

    expect(seen.slice(0, from).at(-1)).toBe(4)
    expect(new Set(seen.slice(from).filter((priority) => priority !== 4 && priority !== 5))).toEqual(
      new Set(),
    )
    expect(seen.at(-1)).toBe(4)
    undo()
  })

  it('does not bring back what others have deleted since', async () => {
    const { todos, socket, answer, latest, undo } = await shown([])
    const done = todos.insert({ id: 'a', text: 'a' })
    answer('insert', { body: todo('a') })
    await done
    socket.tell('match', { matchType: 'add', operation: 'insert', data: todo('a') })

    socket.tell('match', { matchType: 'remove', operation: 'delete', data: { id: '/db/Todo/a' } })

    expect(latest()).toBe('')
    undo()
  })

  it('takes its place in a sorted window, or leaves it', async () => {
    const path = pathOf({ done: false }, { text: 1 })
    const of = (key: string, version = 1) => todo(key, version, { done: false })
    const { todos, answer, latest, undo } = await shown(
      [of('a'), of('c')],
      (all) => all.filter({ done: false }).sort({ text: 1 }).limit(2),
      path.replace('?', '?count=2&'),
    )

    const inserted = todos.insert({ id: 'b', text: 'b', done: false })
    expect(latest()).toBe('a1 b0')
    answer('insert', REFUSED)
    await expect(inserted).rejects.toThrow('no')
    const updated = todos.update('a', { $set: { done: true } })
    expect(latest()).toBe('c1')
    answer('update', { body: todo('a', 2, { done: true }) })
    await updated

    expect(latest()).toBe('c1')
    undo()
  })

  it('does not enter a window that begins further behind', () => {
    const write: ShownWrite = { id: '/db/Todo/b', apply: () => todo('b'), outcome: undefined }
    const base = [todo('c')]

    expect(overlaid(base, [write], 'Todo', { filter: {}, offset: 1 })).toBe(base)
    expect(overlaid(base, [write], 'Note', { filter: {} })).toBe(base)
    expect(overlaid(base, [write], 'Todo', { filter: { text: { $regex: 'b' } } })).toBe(base)
  })

  it('is forgotten after a while', async () => {
    const { todos, answer, latest, undo } = await shown([todo('a')])
    vi.useFakeTimers()
    const done = todos.update('a', { $set: { text: 'A' } })
    answer('update', { body: todo('a', 2, { text: 'A' }) })
    await done
    expect(latest()).toBe('A2')

    vi.advanceTimersByTime(10_000)

    expect(latest()).toBe('a1')
    vi.useRealTimers()
    undo()
  })
})

describe('what a filter matches', () => {
  const object = {
    id: '/db/Todo/a',
    text: 'b',
    done: false,
    priority: 2,
    tags: ['x'],
    address: { city: 'Hamburg' },
  }
  it.each<[object, boolean | undefined]>([
    [{}, true],
    [{ done: false, text: 'b' }, true],
    [{ done: false, text: 'c' }, false],
    [{ nothing: null }, true],
    [{ 'address.city': 'Hamburg' }, true],
    [{ tags: 'x' }, true],
    [{ tags: 'y' }, false],
    [{ priority: { $gt: 1, $lte: 2 } }, true],
    [{ priority: { $gte: 3 } }, false],
    [{ priority: { $lt: '3' } }, false],
    [{ text: { $ne: 'b' } }, false],
    [{ text: { $in: ['a', 'b'] } }, true],
    [{ text: { $nin: ['a', 'b'] } }, false],
    [{ $or: [{ text: 'x' }, { done: false }] }, true],
    [{ $and: [{ text: 'x' }, { text: { $regex: 'b' } }] }, false],
    [{ $nor: [{ text: 'x' }] }, true],
    [{ text: { $regex: 'b' } }, undefined],
    [{ $text: { $search: 'b' } }, undefined],
    [{ address: { city: 'Hamburg' } }, undefined],
    [{ createdAt: { $gt: new Date() } }, undefined],
    [{ $or: [{ done: false }, { text: { $regex: 'b' } }] }, true],
  ])('%j', (filter, expected) => {
    expect(matches(filter, object)).toBe(expected)
  })

  it('is ordered as at the server', () => {
    const [a, b, c] = [
      { id: '1', n: 2 },
      { id: '2', n: null },
      { id: '3', n: 2 },
    ]
    expect([a, b, c].sort(inOrder({ n: -1 } as object))).toEqual([a, c, b])
    expect([a, b, c].sort(inOrder({ n: 1 } as object))).toEqual([b, a, c])
  })
})

it.each<[string, object, object, object]>([
  ['$set', { a: 1 }, { a: 2 }, { a: 2 }],
  ['$inc', {}, { a: 2 }, { a: 2 }],
  ['$dec', { a: 1 }, { a: 2 }, { a: -1 }],
  ['$mul', { a: 3 }, { a: 2 }, { a: 6 }],
  ['$min', { a: 3 }, { a: 2 }, { a: 2 }],
  ['$max', {}, { a: 2 }, { a: 2 }],
  ['$and', { a: 6 }, { a: 3 }, { a: 2 }],
  ['$or', { a: 6 }, { a: 3 }, { a: 7 }],
  ['$xor', { a: 6 }, { a: 3 }, { a: 5 }],
  ['$push', { a: [1] }, { a: 2 }, { a: [1, 2] }],
  ['$unshift', { a: [1] }, { a: 2 }, { a: [2, 1] }],
  ['$pop', { a: [1, 2] }, { a: null }, { a: [1] }],
  ['$shift', { a: [1, 2] }, { a: null }, { a: [2] }],
  ['$replace', { a: [1, 2] }, { 'a.1': 3 }, { a: [1, 3] }],
  ['$add', { a: [1] }, { a: 1 }, { a: [1] }],
  ['$remove', { a: [1, 2, 1] }, { a: 1 }, { a: [2] }],
  ['$remove', { a: { x: 1, y: 2 } }, { a: 'x' }, { a: { y: 2 } }],
  ['$put', { a: { x: 1 } }, { a: { y: 2 } }, { a: { x: 1, y: 2 } }],
  ['$rename', { a: 1 }, { a: 'b' }, { a: null, b: 1 }],
  ['$set', { a: { x: 1 } }, { 'a.y': 2 }, { a: { x: 1, y: 2 } }],
  ['$later', { a: 1 }, { a: 2 }, { a: 1 }],
])('%s of %j by %j', (name, before, paths, after) => {
  const copy = structuredClone(before)
  expect(applied(before, { [name]: paths } as never)).toEqual(after)
  expect(before).toEqual(copy)
})
