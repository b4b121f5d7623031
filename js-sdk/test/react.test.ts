// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import { Component, createElement, type ReactNode, StrictMode, Suspense } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import type { Stored } from '../src/index.js'
import { optimistic } from '../src/optimistic.js'
import {
  OrestesProvider,
  type Snapshot,
  takeSnapshot,
  useLive,
  useObject,
  type Watched,
} from '../src/react.js'
import { stores } from '../src/svelte.js'
import { eventually } from './eventually.js'
import { connected, deferred, FakeSocket, pathOf, subscribed, todo, type Todo } from './frameworks.js'

type Connected = Awaited<ReturnType<typeof connected>>

const OPEN = `GET ${pathOf({ done: false }, { text: 1 })}`
const MILK = `GET ${pathOf({ id: '/db/Todo/milk' })}`

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const textsOf = (list: readonly Todo[] | undefined) => list?.map(({ text }) => text).join(' ')

function listOf({ todos }: Connected, suspense = false) {
  return function List() {
    const query = todos.find({ done: false }).sort({ text: 1 })
    const { data, error, pending } = useLive(query, { suspense: suspense as true })
    return `${textsOf(data) ?? error?.message ?? 'loading'}${pending.length > 0 ? ' …' : ''}`
  }
}

/**
Returns the number of loads of the query. The scripts' answers have no time to live, so each load
sends two requests.
*/
const loads = ({ asked }: Connected) =>
  asked.filter(({ path, cache }) => OPEN.endsWith(path) && cache === 'force-cache').length

const page = (at: Connected, content: ReactNode, snapshot: Snapshot = {}) =>
  createElement(OrestesProvider, { client: at.db, snapshot }, content)

class Boundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {}
  static getDerivedStateFromError = (error: Error) => ({ error })
  override render() {
    return this.state.error ? `failed: ${this.state.error.message}` : this.props.children
  }
}

/** Sends the first result of a live query. */
async function tell(data: readonly object[]) {
  const socket = await subscribed()
  act(() => socket.tell('result', { data }))
  return socket
}

/** Returns a component that shows a live query: what it has seen, and the server's side. */
async function watched() {
  const at = await connected({ [OPEN]: { body: [] } })
  const seen: Watched<unknown>[] = []
  const List = () => {
    seen.push(useLive(at.todos.find({ done: false }).sort({ text: 1 })))
    return null
  }
  render(page(at, createElement(List)))
  return { seen, socket: await tell([todo('a')]) }
}

describe('useLive', () => {
  it('shows what a cache has, then what is told', async () => {
    const at = await connected({ [OPEN]: { body: [todo('a')] } })
    const { container } = render(page(at, createElement(listOf(at))))
    expect(container.textContent).toBe('loading')
    await eventually(() => expect(container.textContent).toBe('a'))

    const socket = await tell([todo('a'), todo('b')])
    expect(container.textContent).toBe('a b')
    act(() => socket.tell('match', { matchType: 'remove', operation: 'delete', data: { id: '/db/Todo/a' } }))

    expect(container.textContent).toBe('b')
  })

  it('subscribes once for all that show it, in strict mode too, and frees the server after the last one', async () => {
    const at = await connected({ [OPEN]: { body: [] } })
    const List = listOf(at)
    const lists = createElement(StrictMode, null, createElement(List), createElement(List))
    const { unmount } = render(page(at, lists))
    const socket = await tell([todo('a')])
    vi.useFakeTimers()

    expect(socket.sent.filter(({ type }) => type === 'subscribe')).toHaveLength(1)
    expect(loads(at)).toBe(1)
    unmount()
    vi.advanceTimersByTime(1100)

    expect(socket.readyState).toBe(3)
    expect(FakeSocket.opened).toHaveLength(1)
  })

  it('takes another query as another', async () => {
    const at = await connected({
      [`GET ${pathOf({ text: 'a' })}`]: { body: [todo('a')] },
      [`GET ${pathOf({ text: 'b' })}`]: { body: [todo('b')] },
    })
    const Found = ({ text }: { text: string }) => textsOf(useLive(at.todos.find({ text })).data)
    const { container, rerender } = render(page(at, createElement(Found, { text: 'a' })))
    await eventually(() => expect(container.textContent).toBe('a'))

    rerender(page(at, createElement(Found, { text: 'b' })))

    await eventually(() => expect(container.textContent).toBe('b'))
  })

  it('suspends until there is a result', async () => {
    const answer = deferred<{ body: unknown }>()
    const at = await connected({ [OPEN]: () => answer.promise })
    const content = createElement(Suspense, { fallback: 'wait' }, createElement(listOf(at, true)))
    const { container } = await act(async () => render(page(at, content)))
    expect(container.textContent).toBe('wait')

    await act(async () => answer.resolve({ body: [todo('a')] }))

    await eventually(() => expect(container.textContent).toBe('a'))
    expect(loads(at)).toBe(1)
  })

  it('throws to the error boundary when there will be no result', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const at = await connected({
      [OPEN]: { status: 466, body: { status: 466, reason: 'Permission Denied', message: 'no' } },
    })
    const suspended = createElement(Suspense, { fallback: 'wait' }, createElement(listOf(at, true)))

    const { container } = await act(async () => render(page(at, createElement(Boundary, null, suspended))))

    await eventually(() => expect(container.textContent).toBe('failed: no'))
    expect(loads(at)).toBe(1)
    vi.restoreAllMocks()
  })

  it('keeps what is shown when the live query fails, and says so', async () => {
    const { seen, socket } = await watched()

    act(() => socket.tell('error', { error: { status: 466, reason: 'Permission Denied' } }))

    expect(seen.at(-1)).toMatchObject({ data: [{ text: 'a' }], error: { code: 'PERMISSION_DENIED' } })
  })

  it('asks again after a failure, when it is told to', async () => {
    const { seen, socket } = await watched()
    const subscriptions = () => socket.sent.filter(({ type }) => type === 'subscribe')
    act(() => seen.at(-1)?.retry())
    expect(subscriptions()).toHaveLength(1)
    act(() => socket.tell('error', { error: { status: 503, reason: 'Unavailable' } }))

    act(() => seen.at(-1)?.retry())
    await eventually(() => expect(subscriptions()).toHaveLength(2))
    act(() => socket.tell('result', { data: [todo('b')] }))

    expect(seen.at(-1)).toMatchObject({ data: [{ text: 'b' }], error: undefined })
  })

  it('needs a provider', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => render(createElement(() => useObject('/db/Todo/a').error?.message))).toThrow(
      'OrestesProvider',
    )
    vi.restoreAllMocks()
  })

  it('types the result by the query, and as there where it suspends', () => {
    type Query = ReturnType<Connected['todos']['find']>
    const suspended = (query: Query) => useLive(query, { suspense: true }).data
    const waiting = (query: Query) => useLive(query).data
    expectTypeOf(suspended).returns.toEqualTypeOf<readonly Stored<Todo>[]>()
    expectTypeOf(waiting).returns.toEqualTypeOf<readonly Stored<Todo>[] | undefined>()
  })
})

describe('useObject', () => {
  const Title = () => useObject<Todo>('/db/Todo/milk').data?.text ?? 'none'

  it('shows an object as it is and becomes', async () => {
    const at = await connected({ [MILK]: { body: [] } })
    const { container } = render(page(at, createElement(Title)))

    const socket = await tell([todo('milk')])
    expect(container.textContent).toBe('milk')
    act(() =>
      socket.tell('match', { matchType: 'remove', operation: 'delete', data: { id: '/db/Todo/milk' } }),
    )

    expect(container.textContent).toBe('none')
    expect(JSON.parse(String(socket.sent[0]?.['query']))).toEqual({ id: '/db/Todo/milk' })
  })

  it('shows a write at once, and takes it back when it is refused', async () => {
    const answer = deferred<{ status?: number; body: unknown }>()
    const at = await connected({ [MILK]: { body: [] }, 'POST /db/Todo/milk': () => answer.promise })
    const { container } = render(page(at, createElement(Title)))
    await tell([todo('milk')])

    let refused!: Promise<unknown>
    act(() => {
      refused = optimistic(at.db)
        .bucket<Todo>('Todo')
        .update('milk', { $set: { text: 'oat milk' } })
      refused.catch(() => {})
    })
    expect(container.textContent).toBe('oat milk')
    await act(async () => answer.resolve({ status: 466, body: { status: 466, reason: 'Permission Denied' } }))

    await expect(refused).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(container.textContent).toBe('milk')
  })
})

describe('a page that a server rendered', () => {
  it('is taken over as it is, without another request, and goes live', async () => {
    const at = await connected({ [OPEN]: { body: [todo('a')] }, [MILK]: { body: [todo('milk')] } })
    const queried = at.todos.find({ done: false }).sort({ text: 1 })
    const taken = await takeSnapshot(at.db, queried, '/db/Todo/milk')
    const snapshot = JSON.parse(JSON.stringify(taken)) as Snapshot
    const html = renderToString(page(at, createElement(listOf(at)), taken))
    expect(html).toBe('a')

    const browser = await connected()
    const root = document.createElement('div')
    root.innerHTML = html
    const mistakes = vi.fn()
    const content = page(browser, createElement(listOf(browser)), snapshot)
    const hydrated = await act(async () => hydrateRoot(root, content, { onRecoverableError: mistakes }))
    expect(root.textContent).toBe('a')
    await tell([todo('b')])

    expect(root.textContent).toBe('b')
    expect(mistakes).not.toHaveBeenCalled()
    expect(browser.requests().filter((each) => each.includes('query'))).toEqual([])
    act(() => hydrated.unmount())
  })

  it('is taken over as it was rendered, though its query has gone on', async () => {
    const at = await connected()
    const query = at.todos.find({ done: false }).sort({ text: 1 })
    const snapshot = { [OPEN.slice('GET '.length)]: [todo('a')] }
    const stop = stores(at.db, snapshot)
      .live(query)
      .subscribe(() => {})
    await tell([todo('b')])
    const root = document.createElement('div')
    root.innerHTML = 'a'
    const mistakes = vi.fn()

    const content = page(at, createElement(listOf(at)), snapshot)
    const hydrated = await act(async () => hydrateRoot(root, content, { onRecoverableError: mistakes }))

    expect(root.textContent).toBe('b')
    expect(mistakes).not.toHaveBeenCalled()
    act(() => hydrated.unmount())
    stop()
  })

  it('waits where there is no result', async () => {
    const at = await connected()
    expect(renderToString(page(at, createElement(listOf(at))))).toBe('loading')
    expect(at.requests()).toEqual([])
  })
})
