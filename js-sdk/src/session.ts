import type { Answer, Consistency } from './caching/demand.js'
import { type Provenance, Sources } from './caching/source.js'
import { isQuery } from './caching/keys.js'
import { DOUBT_MILLIS, type StalenessGuard } from './caching/staleness.js'
import { type Connector, type RequestOptions, bodyOf } from './connector.js'
import { NotFoundError, ServerError } from './errors.js'
import type { Elements, Follower } from './live/follow.js'
import type { HubOptions, LiveHub } from './live/hub.js'
import type { LiveSpec } from './live/transport.js'
import { Seen } from './seen.js'
import type { Metadata } from './wire.js'

/**
Options of one read; omitted ones have the values of the connection.

@example
```ts
await todos.load('milk', { consistency: 'fresh', signal: AbortSignal.timeout(2000) })
```
*/
export interface ReadOptions {
  /** Required freshness of the answer. */
  readonly consistency?: Consistency
  /** For `bounded`: maximum staleness in seconds. Longer than the client's bound has no effect. */
  readonly boundSeconds?: number
  /** Ends the request; the call then fails with the signal's reason. */
  readonly signal?: AbortSignal
}

/**
The result of a read: the data, and where they came from.

@example
```ts
const { data: todo, source, age, bound } = await todos.load('milk')
console.log(`${todo.text}, from ${source}, ${age} s old, at most ${bound} s behind`)
```
*/
export interface Result<T> extends Provenance {
  readonly data: T
  /** Entity tag of the answer, for conditional writes. */
  readonly etag: string | null
}

/** The code of live queries, which is loaded on first use. */
type LiveCode = typeof import('./live/live.js')

/** A result, and its place in time. */
interface Read<T> {
  readonly result: Result<T>
  /** When it was requested, as {@link Seen.begin} counts; 0 if it may be older. */
  readonly began: number
  /** When the server sent it. */
  readonly date: string | null
}

/**
Reads and writes of one client in their order: a read sees what the client wrote, and no object or
result of a query from before one that it has seen. Where a cache has an older one, the newest state
is requested.
*/
export class Session {
  readonly connector: Connector
  readonly guard: StalenessGuard
  /** Records that later pages have to see more than a filter requested until now may know. */
  readonly changed: (doubtMillis?: number) => void
  readonly seen = new Seen()
  readonly #consistency: Consistency
  readonly #hubOptions: () => HubOptions
  readonly #sources = new Sources()
  #loading: Promise<{ code: LiveCode; hub: LiveHub }> | undefined

  constructor(
    connector: Connector,
    guard: StalenessGuard,
    consistency: Consistency,
    hubOptions: () => HubOptions,
    changed: (doubtMillis?: number) => void,
  ) {
    this.connector = connector
    this.guard = guard
    this.changed = changed
    this.#consistency = consistency
    this.#hubOptions = hubOptions
  }

  /**
  Reads what caches may have.

  @param key its key in the filter, which is its path as well
  @param narrow converts the body to the data
  @param objects the objects in the data
  */
  async read<T>(
    key: string,
    narrow: (body: unknown) => T,
    objects: (data: T) => readonly Metadata[],
    options: ReadOptions = {},
  ): Promise<Result<T>> {
    const demanded = { consistency: this.#consistency, ...options }
    const query = isQuery(key) ? key : undefined
    const read = await this.#readOnce(key, narrow, demanded).catch((error: unknown) => {
      // an old answer may report an object as absent that was seen since
      const isOld = demanded.consistency !== 'fresh' && this.seen.isThere(key)
      if (!(error instanceof NotFoundError && isOld)) throw error
    })
    return read !== undefined && this.#sees(read, objects, query)
      ? read.result
      : this.#newest(() => this.#readOnce(key, narrow, { ...demanded, consistency: 'fresh' }), objects, query)
  }

  /**
  Reads what no cache stores.

  @param objects the objects in the data
  @param query the key of the query whose result it is
  */
  readUncached<T>(
    path: string,
    narrow: (body: unknown) => T,
    objects: (data: T) => readonly Metadata[],
    request: RequestOptions = {},
    query?: string,
  ): Promise<Result<T>> {
    const once = async (): Promise<Read<T>> => {
      const began = this.seen.begin()
      const response = await this.connector.send(path, request)
      const { headers } = response
      const data = narrow(await bodyOf(response))
      const result = { data, source: 'server', age: 0, bound: 0, etag: headers.get('ETag') } as const
      return { result, began, date: headers.get('Date') }
    }
    return this.#newest(once, objects, query)
  }

  /**
  Requests the newest state, again if something newer was seen meanwhile. For results only the last
  one is known, and a busy query changes all the time: so a result is accepted that was requested
  after the first was found behind.
  */
  async #newest<T>(
    once: () => Promise<Read<T>>,
    objects: (data: T) => readonly Metadata[],
    query: string | undefined,
  ): Promise<Result<T>> {
    let read = await once()
    for (let attempt = 1; !this.#sees(read, objects, query); attempt++) {
      if (attempt > 1 && this.#sees(read, objects)) break
      read = await once()
    }
    return read.result
  }

  /** Returns whether nothing newer than this was seen, and then remembers it. */
  #sees<T>(
    { result, began, date }: Read<T>,
    objects: (data: T) => readonly Metadata[],
    query?: string,
  ): boolean {
    const list = objects(result.data)
    const state = query === undefined ? undefined : { key: query, date }
    if (
      list.some((each) => this.seen.isBehind(each, began)) ||
      (state && this.seen.isResultBehind(state, list, began))
    ) {
      return false
    }
    list.forEach((each) => this.seen.object(each, began))
    if (state) this.seen.result(state, list)
    return true
  }

  async #readOnce<T>(key: string, narrow: (body: unknown) => T, options: ReadOptions): Promise<Read<T>> {
    const began = this.seen.begin()
    const askedAt = performance.now()
    let answer!: Answer
    const response = await this.connector
      .ask(
        async (init) => {
          answer = await this.guard.read(key, this.connector.base + key, init, options)
          return answer.response
        },
        { signal: options.signal },
      )
      .catch((error: unknown) => {
        if (error instanceof NotFoundError && answer.isNewest) this.seen.gone(key, began)
        throw error
      })
    const data = narrow(await bodyOf(response))
    const result = {
      data,
      source: this.#sources.of(key, answer, askedAt),
      age: answer.ageSeconds,
      bound: answer.boundSeconds,
      etag: response.headers.get('ETag'),
    }
    return { result, began: answer.isNewest ? began : 0, date: response.headers.get('Date') }
  }

  /**
  Sends a write. Later reads see it; also if it failed and may have been done.

  @param ids what it may write; an id without a key stands for an unknown object of its bucket
  @param isRepeated whether it will be sent again after an error, and its outcome be known then
  */
  async write(
    ids: readonly string[],
    path: string,
    request: RequestOptions,
    isRepeated: (error: unknown) => boolean = () => false,
  ): Promise<Response> {
    // also before: a page may be left while its write is under way
    this.changed()
    try {
      const response = await this.connector.send(path, request)
      ids.forEach((id) => this.guard.wrote(id, response))
      return response
    } catch (error) {
      if ((!(error instanceof ServerError) || error.status >= 500) && !isRepeated(error)) this.doubt(ids)
      throw error
    } finally {
      this.changed()
    }
  }

  /** Records writes that may be done at an unknown later time. */
  doubt(ids: readonly string[]): void {
    ids.forEach((id) => this.guard.mayHaveWritten(id))
    this.changed(DOUBT_MILLIS)
  }

  /**
  Follows a live query, by code that is loaded with the first one.

  @param elements the kind of elements of its result
  @returns its undo
  */
  follow<T extends object>(
    spec: LiveSpec,
    elements: (code: LiveCode) => Elements<T>,
    follower: Follower<T>,
  ): () => void {
    let undo: (() => void) | undefined
    let isOver = false
    this.#live()
      .then(({ code, hub }) => {
        if (!isOver) undo = code.follow(hub, spec, elements(code), this.#noting(follower))
      })
      .catch((error: unknown) => {
        if (!isOver) follower.error(error as Error)
      })
    return () => {
      isOver = true
      undo?.()
    }
  }

  /** Returns a follower that also records changes; the first result is none. */
  #noting<T>(follower: Follower<T>): Follower<T> {
    let isFirst = true
    return {
      error: (error) => follower.error(error),
      connection: (isConnected, silence) => follower.connection(isConnected, silence),
      list: (list, events) => {
        if (!isFirst && events.length > 0) this.changed()
        isFirst = false
        follower.list(list, events)
      },
    }
  }

  /** Restarts live queries after a change of the user. */
  restartLive(): void {
    this.#withHub((hub) => hub.restart())
  }

  /** Ends live queries without a notification. */
  close(): void {
    this.#withHub((hub) => hub.close())
  }

  #withHub(task: (hub: LiveHub) => void): void {
    this.#loading?.then(
      ({ hub }) => task(hub),
      () => {},
    )
  }

  /** Code that could not be loaded is tried again with the next query. */
  #live(): Promise<{ code: LiveCode; hub: LiveHub }> {
    this.#loading ??= import('./live/live.js')
      .then((code) => {
        const hub = new code.LiveHub(this.#hubOptions())
        this.guard.carrier = (etag, signal) => hub.filter(etag, signal)
        return { code, hub }
      })
      .catch((error: unknown) => {
        this.#loading = undefined
        throw error
      })
    return this.#loading
  }
}
