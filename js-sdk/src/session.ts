import type { Consistency } from './caching/demand.js'
import { type Source, Sources } from './caching/source.js'
import type { StalenessGuard } from './caching/staleness.js'
import { type Connector, type RequestOptions, bodyOf } from './connector.js'
import { ServerError } from './errors.js'
import type { Elements, Follower } from './live/follow.js'
import type { HubOptions, LiveHub } from './live/hub.js'
import type { LiveSpec } from './live/transport.js'
import type { Metadata } from './wire.js'

/**
What one read asks for; what is left out is as the client was connected.

@example
```ts
await todos.load('milk', { consistency: 'fresh', signal: AbortSignal.timeout(2000) })
```
*/
export interface ReadOptions {
  /** How new the answer has to be. */
  readonly consistency?: Consistency
  /** For `bounded`: how old a state may be, in seconds. Longer than the client's bound has no effect. */
  readonly boundSeconds?: number
  /** Ends the request; the call then fails with the signal's reason. */
  readonly signal?: AbortSignal
}

/**
What a read returns: the data, and where they came from.

@example
```ts
const { data: todo, source, age, bound } = await todos.load('milk')
console.log(`${todo.text}, from ${source}, ${age} s old, at most ${bound} s behind`)
```
*/
export interface Result<T> {
  readonly data: T
  readonly source: Source
  /** How long ago this was the newest state for certain, in seconds. */
  readonly age: number
  /** How far this is behind the newest state at most, in seconds; 0 for what the server says now. */
  readonly bound: number
  /** Entity tag of the answer; conditional writes take it. */
  readonly etag: string | null
}

/** The code of live queries, which is loaded when it is needed. */
type LiveCode = typeof import('./live/live.js')

/** How many objects a session remembers having seen. */
const REMEMBERED = 10_000

interface Seen {
  readonly version: number
  /** When it was seen. What was asked for since is newer, also if it begins again with version 1. */
  readonly step: number
}

/**
Reads and writes of one client in their order: a read sees what the client wrote, and no object of an earlier version than
it has seen. Where a cache has one, the newest state is asked for.
*/
export class Session {
  readonly connector: Connector
  readonly guard: StalenessGuard
  readonly #consistency: Consistency
  readonly #hubOptions: () => HubOptions
  readonly #sources = new Sources()
  readonly #seen = new Map<string, Seen>()
  /** Orders what was seen, and the requests that were sent. */
  #step = 0
  #loading: Promise<{ code: LiveCode; hub: LiveHub }> | undefined

  constructor(
    connector: Connector,
    guard: StalenessGuard,
    consistency: Consistency,
    hubOptions: () => HubOptions,
  ) {
    this.connector = connector
    this.guard = guard
    this.#consistency = consistency
    this.#hubOptions = hubOptions
  }

  /**
  Reads what caches may have.

  @param key by which the filter knows it, which is its path as well
  @param narrow makes the data from the body
  @param objects the objects in the data
  */
  async read<T>(
    key: string,
    narrow: (body: unknown) => T,
    objects: (data: T) => readonly Metadata[],
    options: ReadOptions = {},
  ): Promise<Result<T>> {
    const demanded = { consistency: this.#consistency, ...options }
    const began = demanded.consistency === 'fresh' ? this.begin() : 0
    const result = await this.#readOnce(key, narrow, demanded)
    if (objects(result.data).some((each) => this.#isBehind(each, began))) {
      return this.read(key, narrow, objects, { ...options, consistency: 'fresh' })
    }
    objects(result.data).forEach((each) => this.saw(each, began))
    return result
  }

  async #readOnce<T>(key: string, narrow: (body: unknown) => T, options: ReadOptions): Promise<Result<T>> {
    const askedAt = performance.now()
    let answer!: Awaited<ReturnType<StalenessGuard['read']>>
    const response = await this.connector.ask(
      async (init) => {
        answer = await this.guard.read(key, this.connector.base + key, init, options)
        return answer.response
      },
      { signal: options.signal },
    )
    const data = narrow(await bodyOf(response))
    return {
      data,
      source: this.#sources.of(key, answer, askedAt),
      age: answer.ageSeconds,
      bound: answer.boundSeconds,
      etag: response.headers.get('ETag'),
    }
  }

  /**
  Reads what no cache keeps.

  @param objects the objects in the data
  */
  async readUncached<T>(
    path: string,
    narrow: (body: unknown) => T,
    objects: (data: T) => readonly Metadata[],
    request: RequestOptions = {},
  ): Promise<Result<T>> {
    const began = this.begin()
    const response = await this.connector.send(path, request)
    const data = narrow(await bodyOf(response))
    if (objects(data).some((each) => this.#isBehind(each, began))) {
      return this.readUncached(path, narrow, objects, request)
    }
    objects(data).forEach((each) => this.saw(each, began))
    return { data, source: 'server', age: 0, bound: 0, etag: response.headers.get('ETag') }
  }

  /**
  Sends a write. Reads that follow see it; also if it failed, where that leaves open whether it was done.

  @param ids what it may write; an id without a key stands for an unknown object of its bucket
  */
  async write(ids: readonly string[], path: string, request: RequestOptions): Promise<Response> {
    try {
      const response = await this.connector.send(path, request)
      ids.forEach((id) => this.guard.wrote(id, response))
      return response
    } catch (error) {
      if (!(error instanceof ServerError) || error.status >= 500) {
        ids.forEach((id) => this.guard.wrote(id))
      }
      throw error
    }
  }

  /** Notes that a request is sent; what it brings is newer than all that was seen before. */
  begin(): number {
    return ++this.#step
  }

  /**
  Remembers the version of an object: no older one is returned from now on.

  @param began when it was asked for, by {@link begin}; an answer that was overtaken tells nothing new. 0 for what may be older
  */
  saw(object: Pick<Metadata, 'id' | 'version'>, began = 0): void {
    if (this.#isBehind(object, began)) {
      return
    }
    const { id, version } = object
    this.#seen.delete(id)
    this.#seen.set(id, { version, step: this.begin() })
    if (this.#seen.size > REMEMBERED) {
      this.forget(this.#seen.keys().next().value as string)
    }
  }

  /**
  Follows a live query, by code that is loaded with the first one.

  @param elements chooses what its result is made of
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
        if (!isOver) undo = code.follow(hub, spec, elements(code), follower)
      })
      .catch((error: unknown) => {
        if (!isOver) follower.error(error as Error)
      })
    return () => {
      isOver = true
      undo?.()
    }
  }

  /** Begins live queries anew, as somebody else asks now. */
  restartLive(): void {
    this.#withHub((hub) => hub.restart())
  }

  /** Ends live queries without telling them. */
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
      .then((code) => ({ code, hub: new code.LiveHub(this.#hubOptions()) }))
      .catch((error: unknown) => {
        this.#loading = undefined
        throw error
      })
    return this.#loading
  }

  /** Forgets an object that is gone: one that takes its place begins with version 1. */
  forget(id: string): void {
    this.#seen.delete(id)
  }

  #isBehind({ id, version }: Pick<Metadata, 'id' | 'version'>, began: number): boolean {
    const seen = this.#seen.get(id)
    return seen !== undefined && version < seen.version && began < seen.step
  }
}
