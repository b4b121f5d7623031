import type { Connector } from '../connector.js'
import { ConnectionError, CredentialsError, ServerError } from '../errors.js'
import { jitter, sleep } from '../objects/optimistic.js'
import { parse, toServerError } from '../wire.js'
import { EventParser, type StreamEvent } from './eventParser.js'
import {
  FIRST_PAUSE,
  isTemporary,
  LONGEST_PAUSE,
  type LiveSpec,
  type Sink,
  type Transport,
} from './transport.js'

/**
Each live query over a request of its own, whose answer does not end (server-sent events), for where WebSockets do not get through. A
stream that is lost continues behind its last event.
*/
export class StreamTransport implements Transport {
  readonly #connector: Connector
  readonly #token: () => string | null

  /** @param token that of the session, or null */
  constructor(connector: Connector, token: () => string | null) {
    this.#connector = connector
    this.#token = token
  }

  open(spec: LiveSpec, sink: Sink): () => void {
    const aborter = new AbortController()
    const stream = new Stream(this.#connector, this.#token, path(spec), sink, aborter.signal)
    stream.run().catch((error: unknown) => {
      if (!aborter.signal.aborted) sink.error(error as Error)
    })
    return () => aborter.abort()
  }
}

class Stream {
  readonly #connector: Connector
  readonly #token: () => string | null
  readonly #path: string
  readonly #sink: Sink
  readonly #signal: AbortSignal
  #parser = this.#newParser('')
  #attempt = 0

  constructor(
    connector: Connector,
    token: () => string | null,
    path: string,
    sink: Sink,
    signal: AbortSignal,
  ) {
    this.#connector = connector
    this.#token = token
    this.#path = path
    this.#sink = sink
    this.#signal = signal
  }

  /** Ends by an error of the server, or by the signal. */
  async run(): Promise<never> {
    for (;;) {
      const token = this.#token()
      try {
        await this.#receive()
      } catch (error) {
        const hasOldToken = error instanceof CredentialsError && token !== this.#token()
        if (!hasOldToken && !isLost(error)) throw error
      }
      this.#signal.throwIfAborted()
      this.#sink.connection(false)
      await sleep(jitter(FIRST_PAUSE, LONGEST_PAUSE, this.#attempt++), this.#signal)
      this.#parser = this.#newParser(this.#parser.lastEventId)
    }
  }

  async #receive(): Promise<void> {
    const { lastEventId } = this.#parser
    const response = await this.#connector.send(this.#path, {
      headers: { Accept: 'text/event-stream', ...(lastEventId && { 'Last-Event-ID': lastEventId }) },
      signal: this.#signal,
    })
    this.#sink.connection(true)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      this.#signal.throwIfAborted()
      this.#parser.push(piece.value)
    }
  }

  #newParser(lastEventId: string): EventParser {
    return new EventParser((event) => this.#accept(event), lastEventId)
  }

  #accept({ type, data }: StreamEvent): void {
    if (this.#signal.aborted) {
      return
    }
    this.#attempt = 0
    if (type === 'result') this.#sink.result(parse(data))
    if (type === 'match') this.#sink.match(parse(data))
    if (type === 'error') throw toServerError(500, parse(data))
  }
}

/** A stream that breaks off is a `TypeError` of the body; so is one that never came, which the connector has named. */
function isLost(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof TypeError ||
    (error instanceof ServerError && isTemporary(error.status))
  )
}

function path({ bucket, q, sort, offset, limit, aggregate }: LiveSpec): string {
  const parameters = new URLSearchParams({
    q: JSON.stringify(q),
    ...(sort && { sort: JSON.stringify(sort) }),
    ...(offset !== undefined && { start: String(offset) }),
    ...(limit !== undefined && { count: String(limit) }),
    ...(aggregate !== undefined && { aggregate: JSON.stringify(aggregate) }),
  })
  return `/db/${bucket}/events?${parameters}`
}
