import type { AbortOptions } from '../aborting.js'
import type { Json } from '../caching/queryKey.js'
import type { Identified, MatchMessage, MatchType, Operation } from '../wire.js'
import { parse, toMatchMessage, toResult, toServerError } from '../wire.js'
import { applyMatch } from './resultList.js'

/** A live query with the parameters of `GET /db/<bucket>/events`. */
export interface LiveQuery {
  /** Base URL of the API. @default '/v1' */
  readonly baseUrl?: string
  readonly bucket: string
  /** MongoDB filter. @default {} */
  readonly q?: { readonly [key: string]: Json }
  /** True if the initial result is wanted. Without it the list starts empty. @default true */
  readonly initial?: boolean
  /** Events wanted; restrict either these or `operations`. @default all */
  readonly matchTypes?: readonly MatchType[]
  /** @default any */
  readonly operations?: readonly Operation[]
  /** @default globalThis.EventSource */
  readonly EventSource?: new (url: string) => EventSource
}

/** Callbacks of a live query. All are optional. */
export interface LiveListener<T extends Identified> {
  /** The result is now this list; called for the initial result and after every change. */
  onList?(list: readonly T[]): void
  /** One change, after the call of `onList`. */
  onMatch?(match: MatchMessage<T>): void
  /** The server ended the subscription (`ServerError`) or sent no valid event; nothing follows. */
  onError?(error: Error): void
  /** The connection is up (again) or lost; the browser connects again by itself and then resumes. */
  onConnection?(isConnected: boolean): void
}

/**
Follows a live query over server-sent events and maintains its result as a list.

@param options `signal` undoes it as well
@returns its undo: ends the subscription; nothing is called afterwards

@example
```ts
const undo = subscribe({ bucket: 'Todo', q: { done: false } }, { onList: (list) => show(list) })
```
*/
export function subscribe<T extends Identified>(
  query: LiveQuery,
  listener: LiveListener<T>,
  { signal }: AbortOptions = {},
): () => void {
  if (signal?.aborted) {
    return () => {}
  }
  const source = new (query.EventSource ?? globalThis.EventSource)(eventsUrl(query))
  let list: readonly T[] = []
  const update = (next: readonly T[]) => {
    list = next
    listener.onList?.(list)
  }
  const undo = () => {
    signal?.removeEventListener('abort', undo)
    source.close()
  }
  signal?.addEventListener('abort', undo)
  const fail = (error: Error) => {
    undo()
    listener.onError?.(error)
  }
  const on = <M>(event: string, narrow: (data: unknown) => M, handle: (message: M) => void) => {
    source.addEventListener(event, (message) => receive(message as MessageEvent, narrow, handle, fail))
  }

  source.onopen = () => listener.onConnection?.(true)
  on('result', toResult<T>, update)
  on('match', toMatchMessage<T>, (match) => {
    update(applyMatch(list, match))
    listener.onMatch?.(match)
  })
  source.addEventListener('error', (event) => {
    if (event instanceof MessageEvent) {
      receive(event, (data) => toServerError(500, data), fail, fail)
    } else if (source.readyState === source.CLOSED) {
      fail(toServerError(0, { message: 'The server refused the live query' }))
    } else {
      listener.onConnection?.(false)
    }
  })
  return undo
}

/**
Returns the URL of a live query's events.

@example
```ts
const source = new EventSource(eventsUrl({ bucket: 'Todo', q: { done: false } }))
```
*/
export function eventsUrl({
  baseUrl = '/v1',
  bucket,
  q,
  initial,
  matchTypes,
  operations,
}: LiveQuery): string {
  const parameters = new URLSearchParams({
    ...(q && { q: JSON.stringify(q) }),
    ...(initial !== undefined && { initial: String(initial) }),
    ...(matchTypes && { matchTypes: matchTypes.join(',') }),
    ...(operations && { operations: operations.join(',') }),
  })
  const search = parameters.size > 0 ? `?${parameters}` : ''
  return `${baseUrl}/db/${encodeURIComponent(bucket)}/events${search}`
}

/**
Parses a message; an invalid one ends the subscription. A handler's own errors are not caught.
*/
function receive<M>(
  message: MessageEvent,
  narrow: (data: unknown) => M,
  handle: (message: M) => void,
  fail: (error: Error) => void,
): void {
  let narrowed: M
  try {
    narrowed = narrow(parse(message.data))
  } catch (error) {
    fail(error as Error)
    return
  }
  handle(narrowed)
}
