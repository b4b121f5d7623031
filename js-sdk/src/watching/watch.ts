import { type Provenance, TOLD } from '../caching/source.js'
import { type Overlay, overlaid } from '../optimistic/overlay.js'
import { Told } from '../optimistic/told.js'
import type { Query } from '../query/query.js'
import type { Stored } from '../wire.js'

/**
The state of a live query at one moment.

@example
```ts
const state: Watched<readonly Stored<Todo>[]> = {
  data: [milk],
  source: 'live',
  age: 0,
  bound: 0,
  error: undefined,
  isConnected: true,
  pending: [],
  retry: () => {},
}
```
*/
export interface Watched<D> {
  /** The result; undefined as long as there is none. It is retained when the query fails later. */
  readonly data: D | undefined
  /** Origin of the result; undefined as long as there is none. */
  readonly source: Provenance['source'] | undefined
  /** Age of the result when it arrived, or when the connection was lost, in seconds. */
  readonly age: number | undefined
  /** Maximum staleness of the result, in seconds. */
  readonly bound: number | undefined
  /** Reason why there is no result, or no newer one. */
  readonly error: Error | undefined
  /** True while changes arrive at once. */
  readonly isConnected: boolean
  /** Ids of objects with writes that are shown, but not done yet. */
  readonly pending: readonly string[]
  /** Requests the result again after a failure; there is no automatic retry. */
  readonly retry: () => void
}

/** A state with a result. */
export type Found<D> = Watched<D> & Provenance & { readonly data: D }

/** Provenance of a result that came with the page, whose age is unknown. */
export const RENDERED: Provenance = { source: 'shared', age: Infinity, bound: Infinity }

/**
Time for which a query without observers stays subscribed, so that the next page, or a strict React,
finds it, in milliseconds.
*/
export const LINGER_MILLIS = 1000

/** Time for which a result without an observer is retained, and a failure, in milliseconds. */
export const KEPT_MILLIS = 5000

/**
One live query for any number of places that show it: loaded from caches first, then live for as
long as it has observers, with local writes on top.
*/
export class Watch<T extends object> {
  readonly #query: Query<T>
  readonly #overlay: Overlay
  readonly #lifecycle: { readonly revived: () => void; readonly idle: () => void }
  readonly #listeners = new Set<() => void>()
  readonly #told = new Told()
  #base: readonly Stored<T>[] | undefined
  #provenance: Provenance | undefined
  #error: Error | undefined
  #isConnected = false
  #isLive = false
  #state: Watched<readonly Stored<T>[]>
  #loading: Promise<void> | undefined
  #undo: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
  @param initial data that a server has rendered
  @param lifecycle is called when the last observer has left, and when there is one again
  */
  constructor(
    query: Query<T>,
    overlay: Overlay,
    initial: readonly Stored<T>[] | undefined,
    lifecycle: { readonly revived: () => void; readonly idle: () => void },
  ) {
    this.#query = query
    this.#overlay = overlay
    this.#base = initial
    this.#provenance = initial && RENDERED
    this.#lifecycle = lifecycle
    this.#state = this.#newState()
    this.#releaseIn(KEPT_MILLIS)
  }

  readonly current = (): Watched<readonly Stored<T>[]> => this.#state

  /** Calls back after each change, and keeps the query live until it is undone. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const own = () => listener()
    this.#listeners.add(own)
    clearTimeout(this.#timer)
    this.#open()
    return () => {
      this.#listeners.delete(own)
      if (this.#listeners.size === 0) this.#releaseIn(LINGER_MILLIS)
    }
  }

  readonly #retry = (): void => {
    if (this.#error === undefined || this.#listeners.size === 0) return
    this.#close()
    this.#open()
  }

  /** Loads the first result; ends, never failing, when there is one or it has failed. */
  load(): Promise<void> {
    this.#loading ??= this.#query
      .list()
      .then(
        ({ data, source, age, bound }) => this.#isLive || this.#tell(data, { source, age, bound }),
        (error: unknown) => this.#isLive || this.#fail(error as Error),
      )
      .then(() => {
        if (this.#listeners.size === 0) this.#releaseIn(KEPT_MILLIS)
      })
    return this.#loading
  }

  #open(): void {
    if (this.#undo) {
      return
    }
    this.#lifecycle.revived()
    const forget = this.#overlay.onChange(() => this.#overlayChanged())
    if (this.#base === undefined) void this.load()
    const stop = this.#query.live().subscribe({
      next: ({ data }) => {
        this.#isLive = true
        this.#tell(data, TOLD)
      },
      error: (error) => this.#fail(error),
      connection: (isConnected, silence) => {
        this.#isConnected = isConnected
        if (this.#isLive && !isConnected) this.#provenance = { source: 'live', age: silence, bound: silence }
        this.#changed()
      },
    })
    this.#undo = () => {
      forget()
      stop()
    }
    this.#overlayChanged()
  }

  #releaseIn(millis: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#close()
      this.#lifecycle.idle()
    }, millis)
    // must not delay the end of a server that renders
    ;(this.#timer as { unref?: () => void }).unref?.()
  }

  #close(): void {
    this.#undo?.()
    this.#undo = undefined
    this.#loading = undefined
    this.#isLive = this.#isConnected = false
  }

  #tell(list: readonly Stored<T>[], provenance: Provenance): void {
    this.#told.heed(this.#overlay.writes, this.#base ?? list, list)
    this.#base = list
    this.#provenance = provenance
    this.#error = undefined
    this.#changed()
  }

  #fail(error: Error): void {
    this.#error = error
    this.#isConnected = false
    this.#changed()
  }

  #overlayChanged(): void {
    if (this.#base) this.#told.heed(this.#overlay.writes, this.#base, this.#base)
    this.#changed()
  }

  #changed(): void {
    const next = this.#newState()
    if (!isSame(this.#state, next)) {
      this.#state = next
      this.#listeners.forEach((listener) => listener())
    }
  }

  #newState(): Watched<readonly Stored<T>[]> {
    const { bucket, spec } = this.#query
    const writes = this.#told.left(this.#overlay.writes)
    const data = this.#base && overlaid(this.#base, writes, bucket, spec)
    const pending = writes.filter(({ outcome }) => outcome === undefined).map(({ id }) => id)
    return {
      data,
      source: this.#provenance?.source,
      age: this.#provenance?.age,
      bound: this.#provenance?.bound,
      error: this.#error,
      isConnected: this.#isConnected,
      pending: [...new Set(pending)].filter((id) => id.startsWith(`/db/${bucket}/`)),
      retry: this.#retry,
    }
  }
}

function isSame<D>(a: Watched<D>, b: Watched<D>): boolean {
  return (
    a.data === b.data &&
    a.source === b.source &&
    a.age === b.age &&
    a.error === b.error &&
    a.isConnected === b.isConnected &&
    a.pending.join() === b.pending.join()
  )
}
