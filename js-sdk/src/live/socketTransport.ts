import { jitter } from '../objects/optimistic.js'
import { isRecord, parse, toServerError } from '../wire.js'
import {
  FIRST_PAUSE,
  isTemporary,
  LONGEST_PAUSE,
  type LiveSpec,
  type Sink,
  type Transport,
} from './transport.js'

/** What a {@link SocketTransport} uses of its client. */
export interface SocketOptions {
  readonly url: string
  readonly WebSocket: new (url: string) => WebSocket
  /** The token of the session, or null. */
  readonly token: () => string | null
  /** A connection could not even be opened, nor any before. */
  readonly onRefused: () => void
}

interface Subscription {
  readonly spec: LiveSpec
  /** The query on the wire. */
  readonly query: object
  readonly sink: Sink
  /** On the wire; another one on each connection. */
  id: string
  /** The token it was subscribed with. */
  token: string | null
}

/** The longest wait for a connection, in milliseconds. A network that fails meanwhile may say nothing for minutes. */
const HANDSHAKE = 10_000

let lastId = 0

/**
All live queries over one WebSocket (protocol, section 18). It is open while there are any. When it is lost it is opened again after a
pause that doubles, and all queries are subscribed anew: each then gets its result as it is, so that nothing is missed.
*/
export class SocketTransport implements Transport {
  readonly #options: SocketOptions
  readonly #subscriptions = new Map<string, Subscription>()
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #patience: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #hasBeenOpen = false

  constructor(options: SocketOptions) {
    this.#options = options
  }

  open(spec: LiveSpec, sink: Sink): () => void {
    const subscription: Subscription = { spec, query: toMessage(spec), sink, id: newId(), token: null }
    this.#subscriptions.set(subscription.id, subscription)
    if (this.#isOpen()) {
      this.#subscribe(subscription)
      sink.connection(true)
    } else {
      this.#connect()
    }
    return () => this.#end(subscription)
  }

  /** Ends all queries without telling them, and returns what they were. */
  surrender(): readonly { readonly spec: LiveSpec; readonly sink: Sink }[] {
    const all = [...this.#subscriptions.values()]
    this.#subscriptions.clear()
    this.#close()
    return all
  }

  #isOpen(): boolean {
    return this.#socket?.readyState === 1
  }

  #connect(): void {
    if (this.#socket !== undefined || this.#timer !== undefined) {
      return
    }
    const socket = new this.#options.WebSocket(this.#options.url)
    let wasOpen = false
    this.#socket = socket
    this.#patience = setTimeout(() => {
      this.#lost(socket, false)
      socket.close()
    }, HANDSHAKE)
    const end = () => this.#lost(socket, wasOpen)
    socket.onopen = () => {
      clearTimeout(this.#patience)
      wasOpen = true
      this.#hasBeenOpen = true
      this.#subscriptions.forEach((each) => {
        this.#subscribe(each)
        each.sink.connection(true)
      })
    }
    socket.onmessage = ({ data }) => {
      this.#attempt = 0
      this.#receive(data)
    }
    socket.onclose = end
    // the end of a handshake that fails in Node 20, where no close follows
    socket.onerror = end
  }

  #lost(socket: WebSocket, wasOpen: boolean): void {
    if (this.#socket !== socket) {
      return
    }
    this.#socket = undefined
    clearTimeout(this.#patience)
    const all = [...this.#subscriptions.values()]
    this.#timer = setTimeout(() => this.#reconnect(), jitter(FIRST_PAUSE, LONGEST_PAUSE, this.#attempt++))
    if (wasOpen) {
      all.forEach(({ sink }) => sink.connection(false))
    } else if (!this.#hasBeenOpen) {
      this.#options.onRefused()
    }
  }

  #reconnect(): void {
    this.#timer = undefined
    const all = [...this.#subscriptions.values()]
    this.#subscriptions.clear()
    all.forEach((each) => {
      each.id = newId()
      this.#subscriptions.set(each.id, each)
    })
    if (all.length > 0) {
      this.#connect()
    }
  }

  #subscribe(subscription: Subscription): void {
    const { id, query } = subscription
    const token = this.#options.token()
    subscription.token = token
    this.#send({ id, type: 'subscribe', ...query, ...(token !== null && { token }) })
  }

  #end(subscription: Subscription): void {
    if (this.#subscriptions.get(subscription.id) !== subscription) {
      return
    }
    this.#subscriptions.delete(subscription.id)
    if (this.#isOpen()) {
      this.#send({ id: subscription.id, type: 'unsubscribe' })
    }
    if (this.#subscriptions.size === 0) {
      this.#close()
    }
  }

  #close(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#patience)
    this.#timer = undefined
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  #send(message: object): void {
    this.#socket?.send(JSON.stringify(message))
  }

  #receive(text: unknown): void {
    let message: unknown
    try {
      message = parse(text)
    } catch (error) {
      this.#failAll(error as Error)
      return
    }
    if (!isRecord(message)) {
      return
    }
    const subscription = this.#subscriptions.get(String(message['id']))
    if (message['type'] === 'error') {
      this.#refused(subscription, message)
    } else if (message['type'] === 'result') {
      subscription?.sink.result(message['data'])
    } else if (message['type'] === 'match') {
      subscription?.sink.match(message)
    }
  }

  /** An error that names no subscription ends all of them. */
  #refused(subscription: Subscription | undefined, { id, error }: Record<string, unknown>): void {
    const failure = toServerError(500, error)
    if (id === undefined) {
      this.#failAll(failure)
    } else if (subscription && isTemporary(failure.status)) {
      this.#again(subscription, jitter(FIRST_PAUSE, LONGEST_PAUSE, this.#attempt++))
    } else if (subscription && failure.status === 460 && subscription.token !== this.#options.token()) {
      this.#again(subscription, 0)
    } else if (subscription) {
      this.#forget(subscription)
      subscription.sink.error(failure)
    }
  }

  /** Subscribes once more, with the token of now. */
  #again(subscription: Subscription, pause: number): void {
    setTimeout(() => {
      if (this.#subscriptions.get(subscription.id) === subscription) {
        this.#subscriptions.delete(subscription.id)
        subscription.id = newId()
        this.#subscriptions.set(subscription.id, subscription)
        if (this.#isOpen()) this.#subscribe(subscription)
      }
    }, pause)
  }

  #failAll(error: Error): void {
    for (const subscription of [...this.#subscriptions.values()]) {
      this.#forget(subscription)
      subscription.sink.error(error)
    }
  }

  #forget({ id }: Subscription): void {
    this.#subscriptions.delete(id)
    if (this.#subscriptions.size === 0) {
      this.#close()
    }
  }
}

/** @throws {TypeError} if JSON cannot express the query */
function toMessage({ bucket, q, sort, limit, offset, aggregate }: LiveSpec): object {
  return {
    bucket,
    query: JSON.stringify(q),
    ...(sort && { sort: JSON.stringify(sort) }),
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
    ...(aggregate !== undefined && { aggregate: JSON.stringify(aggregate) }),
    initial: true,
    matchTypes: ['all'],
    operations: ['any'],
  }
}

function newId(): string {
  return `live-${++lastId}`
}
