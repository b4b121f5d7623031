import { expect, it, vi } from 'vitest'
import { optimistic } from '../src/optimistic.js'
import { stores, takeSnapshot } from '../src/svelte.js'
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
  await vi.waitFor(() => expect(socket.readyState).toBe(3), { timeout: 3000 })
})

it('tells an object, or that there is none', async () => {
  const { db } = await connected({ [MILK]: { body: [todo('milk')] } })
  const seen: (string | null | undefined)[] = []
  const undo = stores(db)
    .object<Todo>('/db/Todo/milk')
    .subscribe(({ data }) => seen.push(data && data.text))
  await vi.waitFor(() => expect(seen.at(-1)).toBe('milk'))

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
  const seen: number[] = []

  const undo = stores(db, snapshot)
    .live(todos.find())
    .subscribe(({ data }) => seen.push(data?.length ?? 0))

  expect(seen).toEqual([1])
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
