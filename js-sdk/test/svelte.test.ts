import { expect, it, vi } from 'vitest'
import { optimistic } from '../src/optimistic.js'
import { stores, takeSnapshot, type Watched } from '../src/svelte.js'
import { eventually } from './eventually.js'
import { connected, deferred, pathOf, subscribed, todo, type Todo } from './frameworks.js'

const ALL = `GET ${pathOf({})}`
const MILK = `GET ${pathOf({ id: '/db/Todo/milk' })}`

it('tells its value at once and with each change, until it is undone', async () => {
  const { db, todos } = await connected({ [ALL]: { body: [] } })
  const run = vi.fn<(state: { data: readonly Todo[] | undefined }) => void>()
  const undo = stores(db).live(todos.find()).subscribe(run)
  expect(run).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ data: undefined }))

  const socket = await subscribed()
  socket.tell('result', { data: [todo('a')] })
  expect(run.mock.lastCall?.[0].data?.map(({ text }) => text)).toEqual(['a'])
  undo()
  const calls = run.mock.calls.length
  socket.tell('match', { matchType: 'add', operation: 'insert', data: todo('b') })

  expect(run).toHaveBeenCalledTimes(calls)
  await eventually(() => expect(socket.readyState).toBe(3))
})

it('tells where its value comes from, and how old it was', async () => {
  const headers = { 'Orestes-Cache': 'hit', 'Cache-Control': 'public', 'Orestes-Bound': '60' }
  const { db, todos } = await connected({ [ALL]: { body: [], headers } })
  const seen: Pick<Watched<unknown>, 'source' | 'age' | 'bound' | 'isConnected'>[] = []
  const undo = stores(db)
    .live(todos.find())
    .subscribe(({ source, age, bound, isConnected }) => seen.push({ source, age, bound, isConnected }))
  await eventually(() => expect(seen.at(-1)?.source).toBe('shared'))
  const [first, fromCache] = [seen[0], seen.at(-1)]

  const socket = await subscribed()
  socket.tell('result', { data: [] })
  const live = seen.at(-1)
  socket.close()
  undo()

  expect(first).toEqual({ source: undefined, age: undefined, bound: undefined, isConnected: false })
  expect(fromCache?.bound).toBeGreaterThan(0)
  expect(live).toEqual({ source: 'live', age: 0, bound: 0, isConnected: true })
  expect(seen.at(-1)).toEqual({
    source: 'live',
    age: expect.any(Number) as number,
    bound: seen.at(-1)?.age,
    isConnected: false,
  })
  expect(seen.at(-1)?.age).toBeGreaterThan(0)
  // otherwise it would reconnect beside the next test
  db.close()
})

it('tells an object, or that there is none', async () => {
  const { db } = await connected({ [MILK]: { body: [todo('milk')] } })
  const seen: (string | null | undefined)[] = []
  const undo = stores(db)
    .object<Todo>('/db/Todo/milk')
    .subscribe(({ data }) => seen.push(data && data.text))
  await eventually(() => expect(seen.at(-1)).toBe('milk'))

  const socket = await subscribed()
  socket.tell('result', { data: [] })

  expect(seen[0]).toBeUndefined()
  expect(seen.at(-1)).toBeNull()
  undo()
})

it('begins with what a server has rendered', async () => {
  const at = await connected({ [ALL]: { body: [todo('a')] } })
  const snapshot = await takeSnapshot(at.db, at.todos.find())
  const { db, todos, requests } = await connected()
  const seen: unknown[] = []

  const undo = stores(db, snapshot)
    .live(todos.find())
    .subscribe(({ data, source, age }) => seen.push([data?.length, source, age]))

  // the time of its rendering is unknown
  expect(seen).toEqual([[1, 'shared', Infinity]])
  expect(requests()).not.toContain(ALL)
  undo()
})

it('shows a write at once', async () => {
  const answer = deferred<{ body: unknown }>()
  const { db, todos } = await connected({ [ALL]: { body: [] }, 'POST /db/Todo': () => answer.promise })
  const seen: string[] = []
  const undo = stores(db)
    .live(todos.find())
    .subscribe(({ data, pending }) => seen.push(`${data?.map(({ text }) => text).join()} ${pending.length}`))
  const socket = await subscribed()
  socket.tell('result', { data: [] })

  const done = optimistic(db).bucket<Todo>('Todo').insert({ id: 'a', text: 'a' })
  expect(seen.at(-1)).toBe('a 1')
  answer.resolve({ body: todo('a') })
  await done

  expect(seen.at(-1)).toBe('a 0')
  undo()
})
