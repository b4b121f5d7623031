import type { Connector } from '../connector.js'
import { SocketTransport } from './socketTransport.js'
import { StreamTransport } from './streamTransport.js'
import type { LiveSpec, Sink, Transport } from './transport.js'

/** What a {@link LiveHub} uses of its client. */
export interface HubOptions {
  readonly connector: Connector
  readonly token: () => string | null
  /** Absent where there is none, as in Node 20. */
  readonly WebSocket: (new (url: string) => WebSocket) | undefined
}

/**
The one connection of all live queries of a client: a WebSocket; or, where there is none or it does not get through although
the server answers, a stream for each query, from then on.
*/
export class LiveHub implements Transport {
  readonly #connector: Connector
  readonly #streams: StreamTransport
  readonly #open = new Map<Sink, { readonly spec: LiveSpec; readonly undo: () => void }>()
  #socket: SocketTransport | undefined

  constructor({ connector, token, WebSocket }: HubOptions) {
    this.#connector = connector
    this.#streams = new StreamTransport(connector, token)
    this.#socket =
      WebSocket &&
      new SocketTransport({
        url: socketUrl(connector.base),
        WebSocket,
        token,
        onRefused: () => void this.#refused(),
      })
  }

  open(spec: LiveSpec, sink: Sink): () => void {
    this.#open.set(sink, { spec, undo: (this.#socket ?? this.#streams).open(spec, sink) })
    return () => this.#end(sink)
  }

  /** Begins all queries anew: somebody else asks now, who may not see what they brought. */
  restart(): void {
    for (const [sink, { spec, undo }] of [...this.#open]) {
      sink.reset()
      // who was told may have ended this one, or another
      if (this.#open.has(sink)) {
        this.open(spec, sink)
        undo()
      }
    }
  }

  /** Ends all queries without telling them. */
  close(): void {
    ;[...this.#open.keys()].forEach((sink) => this.#end(sink))
  }

  #end(sink: Sink): void {
    this.#open.get(sink)?.undo()
    this.#open.delete(sink)
  }

  /** A server that does not answer at all may yet have sockets when it is back. */
  async #refused(): Promise<void> {
    const answers = await this.#connector.send('/version').then(
      () => true,
      () => false,
    )
    if (answers && this.#socket) {
      const all = this.#socket.surrender()
      this.#socket = undefined
      all.forEach(({ spec, sink }) => this.open(spec, sink))
    }
  }
}

function socketUrl(base: string): string {
  return new URL(`${base}/events`, globalThis.location?.href).href.replace(/^http/, 'ws')
}
