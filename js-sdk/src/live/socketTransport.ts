import { steadyClock } from '../clock.js'
import { orAborted } from '../aborting.js'
import { isTemporary } from '../errors.js'
import { jitter } from '../objects/optimistic.js'
import { filterQuestion, unzipped } from './filterMessages.js'
import { isRecord, parse, toServerError } from '../wire.js'
import { FIRST_PAUSE, LONGEST_PAUSE, type LiveSpec, type Sink, type Transport } from './transport.js'

/** Environment of a {@link SocketTransport}. */
export interface SocketOptions {
  readonly url: string
  readonly WebSocket: new (url: string) => WebSocket
  /** The token of the session, or null. */
  readonly token: () => string | null
  /** Called when data came from the server. */
  readonly onHeard: () => void
  /**
  Called when a connection was lost before any data: the first one, not even opened, or several in a
  row.
  */
  readonly onRefused: () => void
}

interface Subscription {
  readonly spec: LiveSpec
  /** The wire form of the query. */
  readonly query: object
  readonly sink: Sink
  /** Id on the wire; another one on each connection. */
  id: string
  /** The token it was subscribed with. */
  token: string | null
}

/**
Time limit of a connection, and of the answer to a ping, in milliseconds. A network that fails
meanwhile may be silent for minutes.
*/
const PATIENCE = 10_000

/**
Silence in milliseconds after which the client sends a ping: browsers do not expose the server's own
pings.
*/
const SILENCE = 25_000

/**
Number of lost connections in a row, without any data, that count as refused, if there was one that
opened.
*/
const REFUSALS = 3

let lastId = 0

/**
All live queries over one WebSocket (protocol, section 18). It is open while there are any. When it
is lost it is opened again after a pause that doubles, and all queries are subscribed anew: each
then gets its current result, so that nothing is missed. A dead connection without a close is
detected after {@link SILENCE} and {@link PATIENCE}.
*/
export class SocketTransport implements Transport {
  readonly #options: SocketOptions
  readonly #now = steadyClock()
  /** Waiting callers of a filter, by the id of the request. */
  readonly #filters = new Map<string, (message: Record<string, unknown> | undefined) => void>()
  readonly #subscriptions = new Map<string, Subscription>()
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #patience: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #hasBeenOpen = false
  #isHeard = false
  /** Time of the last data of the server, or of the connection. */
  #heardAt = 0
  #refusals = 0

  constructor(options: SocketOptions) {
    this.#options = options
  }

  open(spec: LiveSpec, sink: Sink): () => void {
    const subscription: Subscription = { spec, query: toMessage(spec), sink, id: newId(), token: null }
    this.#subscriptions.set(subscription.id, subscription)
    if (this.isOpen) {
      this.#subscribe(subscription)
      sink.connection(true, 0)
    } else {
      this.#connect()
    }
    return () => this.#end(subscription)
  }

  /** Ends all queries without a notification, and returns them. */
  surrender(): readonly { readonly spec: LiveSpec; readonly sink: Sink }[] {
    const all = [...this.#subscriptions.values()]
    this.#subscriptions.clear()
    this.#close()
    this.#hasBeenOpen = false
    this.#refusals = 0
    return all
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === 1
  }

  /**
  Requests the filter of stale keys; undefined if the socket is not open, or if it is lost, or the
  server refuses.

  @param etag of the known one: if it is unchanged the answer has no filter
  */
  filter(etag: string | undefined, signal: AbortSignal): Promise<unknown> | undefined {
    if (!this.isOpen) {
      return undefined
    }
    const id = newId()
    const answer = new Promise<Record<string, unknown> | undefined>((resolve) =>
      this.#filters.set(id, resolve),
    )
    this.#send(filterQuestion(id, etag))
    const filter = answer.then((message) => message && unzipped(message))
    return orAborted(filter, signal).finally(() => this.#filters.delete(id))
  }

  /**
  Tries whether the server is reachable, without a query; not before the pause after the last
  attempt.
  */
  probe(): void {
    this.#connect()
  }

  /** Connects now instead of after a pause; an open connection is probed. */
  hurry(): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer)
      this.#attempt = 0
      this.#reconnect()
    } else if (this.isOpen) {
      this.#ping()
    }
  }

  #connect(): void {
    if (this.#socket !== undefined || this.#timer !== undefined) {
      return
    }
    const socket = new this.#options.WebSocket(this.#options.url)
    let wasOpen = false
    this.#socket = socket
    this.#isHeard = false
    this.#waitForServer()
    const end = () => this.#lost(socket, wasOpen)
    socket.onopen = () => {
      if (this.#socket !== socket) return
      wasOpen = true
      this.#hasBeenOpen = true
      this.#heardAt = this.#now()
      this.#subscriptions.forEach((each) => {
        this.#subscribe(each)
        each.sink.connection(true, 0)
      })
      this.#ping()
    }
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return
      this.#heard()
      this.#receive(data)
    }
    socket.onclose = end
    // the end of a handshake that fails in Node 20, where no close follows
    socket.onerror = end
  }

  #heard(): void {
    this.#refusals = 0
    this.#heardAt = this.#now()
    clearTimeout(this.#patience)
    this.#patience = setTimeout(() => this.#ping(), SILENCE)
    this.#isHeard = true
    this.#options.onHeard()
  }

  /**
  Any answer shows that the server is alive; one that does not know pings answers with an error.
  */
  #ping(): void {
    this.#waitForServer()
    this.#send({ id: newId(), type: 'ping' })
  }

  #waitForServer(): void {
    const socket = this.#socket
    const wasOpen = this.isOpen
    clearTimeout(this.#patience)
    this.#patience = setTimeout(() => {
      if (socket) this.#lost(socket, wasOpen)
      socket?.close()
    }, PATIENCE)
  }

  #lost(socket: WebSocket, wasOpen: boolean): void {
    if (this.#socket !== socket) {
      return
    }
    this.#socket = undefined
    clearTimeout(this.#patience)
    this.#filters.forEach((tell) => tell(undefined))
    const all = [...this.#subscriptions.values()]
    this.#timer = setTimeout(() => this.#reconnect(), jitter(FIRST_PAUSE, LONGEST_PAUSE, this.#attempt++))
    if (wasOpen) {
      const silence = (this.#now() - this.#heardAt) / 1000
      all.forEach(({ sink }) => sink.connection(false, silence))
    }
    if (!this.#isHeard && ++this.#refusals >= (this.#hasBeenOpen ? REFUSALS : 1)) {
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
    if (this.isOpen) {
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
    this.#filters.forEach((tell) => tell(undefined))
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
    const id = String(message['id'])
    const subscription = this.#subscriptions.get(id)
    this.#filters.get(id)?.(message['type'] === 'bloomFilter' ? message : undefined)
    if (message['type'] === 'error') {
      this.#refused(subscription, message)
    } else if (message['type'] === 'result') {
      // not before: a server that answers and closes again must not be tried more often
      this.#attempt = 0
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
    } else if (subscription && isTemporary(failure)) {
      this.#again(subscription, jitter(FIRST_PAUSE, LONGEST_PAUSE, this.#attempt++))
    } else if (subscription && failure.status === 460 && subscription.token !== this.#options.token()) {
      this.#again(subscription, 0)
    } else if (subscription) {
      this.#forget(subscription)
      subscription.sink.error(failure)
    }
  }

  /** Subscribes once more, with the current token. */
  #again(subscription: Subscription, pause: number): void {
    setTimeout(() => {
      if (this.#subscriptions.get(subscription.id) === subscription) {
        this.#subscriptions.delete(subscription.id)
        subscription.id = newId()
        this.#subscriptions.set(subscription.id, subscription)
        if (this.isOpen) this.#subscribe(subscription)
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
