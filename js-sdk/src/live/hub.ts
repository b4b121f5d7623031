import type { Connector } from '../connector.js'
import { SocketTransport } from './socketTransport.js'
import { StreamTransport } from './streamTransport.js'
import type { LiveSpec, Sink, Transport } from './transport.js'

/** Environment of a {@link LiveHub}. */
export interface HubOptions {
  readonly connector: Connector
  readonly token: () => string | null
  /** Absent where there is none, as in Node 20. */
  readonly WebSocket: (new (url: string) => WebSocket) | undefined
}

/**
The one connection of all live queries of a client: a WebSocket; or, where there is none or it fails
although the server answers, a stream for each query. The socket is tried again when a stream was
lost, when the server is reachable again, and with the first query after a time without any. Queries
that change over begin with their current result.
*/
export class LiveHub implements Transport {
  readonly #connector: Connector
  readonly #streams: StreamTransport
  readonly #socket: SocketTransport | undefined
  readonly #open = new Map<Sink, { readonly spec: LiveSpec; readonly undo: () => void }>()
  readonly #unlisten: () => void
  #current: Transport

  constructor({ connector, token, WebSocket }: HubOptions) {
    this.#connector = connector
    this.#streams = new StreamTransport(connector, token, () => this.#trySocket())
    this.#socket =
      WebSocket &&
      new SocketTransport({
        url: socketUrl(connector.base),
        WebSocket,
        token,
        onHeard: () => this.#heard(),
        onRefused: () => void this.#refused(),
      })
    this.#current = this.#socket ?? this.#streams
    this.#unlisten = connector.connectivity.onChange((isOnline) => isOnline && this.#backOnline())
  }

  open(spec: LiveSpec, sink: Sink): () => void {
    if (this.#open.size === 0) this.#trySocket()
    this.#follow(spec, sink)
    return () => this.#end(sink)
  }

  /** Requests the filter of stale keys from the socket, if it is open. */
  filter(etag: string | undefined, signal: AbortSignal): Promise<unknown> | undefined {
    return this.#current === this.#socket ? this.#socket?.filter(etag, signal) : undefined
  }

  /** Begins all queries anew after a change of the user, who may not see the results so far. */
  restart(): void {
    for (const [sink, { spec, undo }] of [...this.#open]) {
      sink.reset()
      // a callback may have ended this one, or another
      if (this.#open.has(sink)) {
        this.#follow(spec, sink)
        undo()
      }
    }
  }

  /** Ends all queries without a notification. */
  close(): void {
    this.#unlisten()
    ;[...this.#open.keys()].forEach((sink) => this.#end(sink))
    this.#socket?.surrender()
  }

  #follow(spec: LiveSpec, sink: Sink): void {
    this.#open.set(sink, { spec, undo: this.#current.open(spec, sink) })
  }

  #end(sink: Sink): void {
    this.#open.get(sink)?.undo()
    this.#open.delete(sink)
  }

  #backOnline(): void {
    this.#socket?.hurry()
    if (this.#open.size > 0) this.#trySocket()
  }

  #trySocket(): void {
    if (this.#current === this.#streams) this.#socket?.probe()
  }

  /**
  Called when the socket works. Until a query has its result from there, it has no events; the
  result then replaces all that was missed.
  */
  #heard(): void {
    this.#connector.connectivity.reached()
    if (this.#socket === undefined || this.#current === this.#socket) {
      return
    }
    if (this.#open.size === 0) {
      this.#socket.surrender()
      return
    }
    this.#current = this.#socket
    for (const [sink, { spec, undo }] of [...this.#open]) {
      undo()
      this.#follow(spec, sink)
    }
  }

  /** A server that does not answer at all may accept sockets when it is back. */
  async #refused(): Promise<void> {
    if (this.#current !== this.#socket) {
      return
    }
    const answers = await this.#connector.send('/version').then(
      () => true,
      () => false,
    )
    if (answers && this.#current === this.#socket && !this.#socket.isOpen) {
      this.#current = this.#streams
      this.#socket.surrender().forEach(({ spec, sink }) => this.#follow(spec, sink))
    }
  }
}

function socketUrl(base: string): string {
  return new URL(`${base}/events`, globalThis.location?.href).href.replace(/^http/, 'ws')
}
