import { steadyClock } from '../clock.js'
import type { Connector } from '../connector.js'
import { ConnectionError, CredentialsError, isTemporary } from '../errors.js'
import { jitter } from '../objects/optimistic.js'
import { parse, toServerError } from '../wire.js'
import { EventParser, type StreamEvent } from './eventParser.js'
import { FIRST_PAUSE, LONGEST_PAUSE, type LiveSpec, type Sink, type Transport } from './transport.js'

/**
Maximum silence of a stream, in milliseconds, after which it counts as dead: the server sends data
four times as often.
*/
const SILENCE = 60_000

/**
Each live query over a request of its own, whose answer does not end (server-sent events), for
networks without WebSockets. A lost stream continues behind its last event.
*/
export class StreamTransport implements Transport {
  readonly #connector: Connector
  readonly #token: () => string | null
  readonly #onLost: () => void

  /**
  @param token that of the session, or null
  @param onLost called when a stream was lost, which is requested again
  */
  constructor(connector: Connector, token: () => string | null, onLost: () => void) {
    this.#connector = connector
    this.#token = token
    this.#onLost = onLost
  }

  open(spec: LiveSpec, sink: Sink): () => void {
    const aborter = new AbortController()
    const stream = new Stream(this.#connector, this.#token, path(spec), sink, aborter.signal)
    stream.run(this.#onLost).catch((error: unknown) => {
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
  readonly #now = steadyClock()
  /** When the last data arrived; before any, when the stream was begun. */
  #heardAt = this.#now()
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
  async run(onLost: () => void): Promise<never> {
    for (;;) {
      const token = this.#token()
      try {
        await this.#receive()
      } catch (error) {
        const hasOldToken = error instanceof CredentialsError && token !== this.#token()
        if (!hasOldToken && !isLost(error)) throw error
      }
      this.#signal.throwIfAborted()
      this.#sink.connection(false, (this.#now() - this.#heardAt) / 1000)
      onLost()
      const pause = jitter(FIRST_PAUSE, LONGEST_PAUSE, this.#attempt++)
      await this.#connector.connectivity.pause(pause, this.#signal)
      this.#parser = this.#newParser(this.#parser.lastEventId)
    }
  }

  /** Receives until the stream ends, or nothing came for too long. */
  async #receive(): Promise<void> {
    const request = new AbortController()
    const abort = () => request.abort(this.#signal.reason)
    this.#signal.addEventListener('abort', abort)
    let timer: ReturnType<typeof setTimeout> | undefined
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(new ConnectionError('The stream fell silent', false)), SILENCE)
    }
    try {
      await this.#read(request.signal, heard)
    } finally {
      clearTimeout(timer)
      this.#signal.removeEventListener('abort', abort)
    }
  }

  async #read(signal: AbortSignal, heard: () => void): Promise<void> {
    heard()
    const { lastEventId } = this.#parser
    const response = await this.#connector.send(this.#path, {
      headers: { Accept: 'text/event-stream', ...(lastEventId && { 'Last-Event-ID': lastEventId }) },
      signal,
    })
    heard()
    this.#sink.connection(true, 0)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      signal.throwIfAborted()
      heard()
      this.#heardAt = this.#now()
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

/** A broken stream is a `TypeError` of the body; one that never came has the connector's error. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError || isTemporary(error)
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
