import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { applyMatch, eventsUrl, subscribe, type LiveQuery, type MatchMessage } from '../src/index.js'

interface Todo {
  id: string
  version?: number
  text?: string
}

/** An event source with events of the test. */
class FakeEventSource extends EventTarget {
  static readonly opened: FakeEventSource[] = []
  readonly CLOSED = 2
  readyState = 0
  onopen: (() => void) | null = null

  constructor(readonly url: string) {
    super()
    FakeEventSource.opened.push(this)
  }

  send(type: string, data: unknown) {
    this.sendText(type, JSON.stringify(data))
  }

  sendText(type: string, data: string) {
    if (this.readyState !== this.CLOSED) {
      this.dispatchEvent(new MessageEvent(type, { data }))
    }
  }

  close() {
    this.readyState = this.CLOSED
  }
}

const todo = (key: string, version = 1, text = key): Todo => ({ id: `/db/Todo/${key}`, version, text })

function follow() {
  const listener = { onList: vi.fn(), onMatch: vi.fn(), onError: vi.fn(), onConnection: vi.fn() }
  const EventSource = FakeEventSource as unknown as NonNullable<LiveQuery['EventSource']>
  const undo = subscribe<Todo>({ bucket: 'Todo', EventSource }, listener)
  return { ...listener, undo, source: FakeEventSource.opened.at(-1)! }
}

describe('subscribe', () => {
  it('tells the initial result and every change as a whole list', () => {
    const { source, onList, onMatch } = follow()

    source.send('result', [todo('a')])
    source.send('match', { matchType: 'add', operation: 'insert', data: todo('b') })
    source.send('match', { matchType: 'remove', operation: 'delete', data: { id: '/db/Todo/a' } })

    expect(onList.mock.calls.map(([list]) => list.map((each: Todo) => each.text))).toEqual([
      ['a'],
      ['a', 'b'],
      ['b'],
    ])
    expect(onMatch).toHaveBeenCalledTimes(2)
  })

  it('starts over with the result that follows a lost connection', () => {
    const { source, onList, onConnection } = follow()
    source.onopen?.()
    source.send('result', [todo('a')])

    source.dispatchEvent(new Event('error'))
    source.onopen?.()
    source.send('result', [todo('b')])

    expect(onConnection.mock.calls).toEqual([[true], [false], [true]])
    expect(onList).toHaveBeenLastCalledWith([todo('b')])
  })

  it('ends with the error the server sends', () => {
    const { source, onError, onList } = follow()

    source.send('error', { status: 466, reason: 'Permission Denied', message: 'no' })
    source.send('result', [])

    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ status: 466, reason: 'Permission Denied' }),
    )
    expect(onList).not.toHaveBeenCalled()
  })

  it.each([
    ['match', '{'],
    ['match', '{"matchType":"added"}'],
    ['result', '[{}]'],
  ])('ends with an error when a %s event is %s', (type, text) => {
    const { source, onError } = follow()

    source.sendText(type, text)

    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'ProtocolError' }))
    expect(source.readyState).toBe(source.CLOSED)
  })

  it('ends with an error when the browser gives up', () => {
    const { source, onError } = follow()

    source.close()
    source.dispatchEvent(new Event('error'))

    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'ServerError' }))
  })

  it('returns its undo', () => {
    const { source, undo, onList } = follow()

    undo()
    source.send('result', [])

    expect(source.readyState).toBe(source.CLOSED)
    expect(onList).not.toHaveBeenCalled()
  })

  it('types what it tells by what the caller expects', () => {
    type Listener = Parameters<typeof subscribe<Todo>>[1]

    expectTypeOf<NonNullable<Listener['onList']>>().parameter(0).toEqualTypeOf<readonly Todo[]>()
  })
})

describe('eventsUrl', () => {
  it('leaves out what was not given', () => {
    expect(eventsUrl({ bucket: 'Todo' })).toBe('/v1/db/Todo/events')
  })

  it('encodes what was given', () => {
    const url = eventsUrl({
      baseUrl: 'http://127.0.0.1:8080/v1',
      bucket: 'Todo',
      q: { text: 'a&b' },
      initial: false,
      matchTypes: ['add', 'remove'],
    })

    expect(url).toBe(
      'http://127.0.0.1:8080/v1/db/Todo/events?q=%7B%22text%22%3A%22a%26b%22%7D&initial=false&matchTypes=add%2Cremove',
    )
  })
})

describe('applyMatch', () => {
  const match = (
    matchType: MatchMessage<Todo>['matchType'],
    data: Todo,
    index?: number,
  ): MatchMessage<Todo> => ({
    matchType,
    operation: 'update',
    data,
    ...(index !== undefined && { index }),
  })
  const texts = (list: readonly Todo[]) => list.map((each) => each.text).join(' ')
  const abc = [todo('a'), todo('b'), todo('c')]

  it('leaves the list it was given alone', () => {
    applyMatch(abc, match('remove', todo('b')))

    expect(texts(abc)).toBe('a b c')
  })

  it.each([
    ['add at an index', match('add', todo('x'), 1), 'a x b c'],
    ['add without one', match('add', todo('x')), 'a b c x'],
    ['add of what is there', match('add', todo('b', 2, 'B')), 'a B c'],
    ['remove', match('remove', { id: '/db/Todo/b' }), 'a c'],
    ['remove of what is not there', match('remove', { id: '/db/Todo/x' }), 'a b c'],
    ['move', match('changeIndex', todo('a', 2, 'A'), 2), 'b c A'],
    ['change', match('change', todo('b', 2, 'B'), 1), 'a B c'],
    ['match of what is there', match('match', todo('b', 2, 'B')), 'a B c'],
    ['match of what is new', match('match', todo('x')), 'a b c x'],
    ['change to an older state', match('change', todo('b', 0, 'old')), 'a b c'],
  ])('%s', (_, message, expected) => {
    expect(texts(applyMatch(abc, message))).toBe(expected)
  })

  it('follows the worked example of the protocol', () => {
    const steps: [MatchMessage<Todo>, string][] = [
      [match('remove', todo('d')), 'b c'],
      [match('add', todo('a'), 0), 'a b c'],
      [match('remove', todo('b', 2)), 'a c'],
      [match('add', todo('d'), 2), 'a c d'],
      [match('remove', { id: '/db/Todo/d' }), 'a c'],
      [match('add', todo('e'), 2), 'a c e'],
      [match('changeIndex', todo('c', 2, '0'), 0), '0 a e'],
      [match('change', todo('a', 2), 1), '0 a e'],
    ]

    let list: readonly Todo[] = [todo('b'), todo('c'), todo('d')]
    for (const [message, expected] of steps) {
      list = applyMatch(list, message)
      expect(texts(list)).toBe(expected)
    }
  })
})
