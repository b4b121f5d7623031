import { connect, type Json, queryKey } from '../src/index.js'
import { until } from './eventually.js'
import { fakeServer, stored } from './fakeServer.js'

export interface Todo {
  text: string
  done?: boolean
  priority?: number
}

export const todo = (key: string, version = 1, fields: object = {}) =>
  stored(`/db/Todo/${key}`, version, { text: key, ...fields })

/** The server's side of live queries, controlled by a test. */
export class FakeSocket {
  static opened: FakeSocket[] = []
  readyState = 0
  onopen = () => {}
  onmessage = (_: { data: string }) => {}
  onclose = () => {}
  sent: { type: string; id: string; [member: string]: unknown }[] = []

  constructor(readonly url: string) {
    FakeSocket.opened.push(this)
    queueMicrotask(() => {
      this.readyState = 1
      this.onopen()
    })
  }

  send(text: string) {
    const message = JSON.parse(text) as FakeSocket['sent'][number]
    if (message.type === 'ping') this.tell('pong', {}, message.id)
    else this.sent.push(message)
  }

  tell(type: string, message: object, id = this.subscriptions().at(-1)) {
    this.onmessage({ data: JSON.stringify({ id, type, ...message }) })
  }

  close() {
    if (this.readyState < 3) {
      this.readyState = 3
      this.onclose()
    }
  }

  /** Ids of the current subscriptions. */
  subscriptions() {
    const gone = this.sent.filter(({ type }) => type === 'unsubscribe').map(({ id }) => id)
    return this.sent.filter(({ type, id }) => type === 'subscribe' && !gone.includes(id)).map(({ id }) => id)
  }
}

/** The socket of the last live query, once it is subscribed. */
export const subscribed = (): Promise<FakeSocket> =>
  until(() => {
    const socket = FakeSocket.opened.at(-1)
    return socket && socket.subscriptions().length > 0 && socket
  })

/** A device whose network a test switches off, once the client is connected. */
export class FakeDevice extends EventTarget {
  onLine = true

  become(isOnline: boolean) {
    this.onLine = isOnline
    this.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
  }

  through(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      if (!this.onLine && !String(input).endsWith('/connect')) throw new TypeError('no network')
      return send(input, init)
    }
  }
}

export async function connected(
  scripts: Parameters<typeof fakeServer>[0] = {},
  network: FakeDevice = new FakeDevice(),
) {
  FakeSocket.opened = []
  const server = fakeServer({ 'GET /version': { body: {} }, ...scripts })
  const db = await connect<{ Todo: Todo }>('http://test', {
    fetch: network.through(server.fetch),
    network,
    WebSocket: FakeSocket as unknown as new (url: string) => WebSocket,
  })
  return { db, todos: db.bucket('Todo'), ...server }
}

/** Returns the path under which a query is loaded. */
export const pathOf = (q: { [path: string]: Json }, sort: { [path: string]: 1 | -1 } = {}) =>
  queryKey('Todo', { q, sort })

export const deferred = <T>() => {
  let resolve!: (value: T) => void
  let reject!: (error: Error) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
