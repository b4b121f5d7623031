import type { AbortOptions } from '../aborting.js'
import type { Provenance } from '../caching/source.js'

/** Ends a subscription: by a call, or by its method as observables have it. */
export interface Unsubscribe {
  (): void
  unsubscribe(): void
}

/**
A result of a live query. Its `source` is `live`, and nothing newer was known when it arrived.

@example
```ts
const list: LiveResult<readonly Stored<Todo>[]> = { data: [milk], source: 'live', age: 0, bound: 0 }
```
*/
export interface LiveResult<T> extends Provenance {
  readonly data: T
}

/** Callbacks of a live query; all are optional. */
export interface Observer<E> {
  next?(value: E): void
  /**
  The server ended the query, or sent no valid event; nothing follows. Without this callback the
  error is thrown as an uncaught one.
  */
  error?(error: Error): void
  /**
  The connection is up (again), or lost; it is opened again by itself, and nothing is missed.

  @param silence seconds without data when it was found to be lost, which bounds the staleness of
      the last state; 0 when it is up
  */
  connection?(isConnected: boolean, silence: number): void
}

/** Begins to follow a query; returns its undo, after which nothing is called. */
export type Start<E> = (observer: Required<Observer<E>>) => () => void

/**
The events of a live query while it has subscribers. Every subscription is independent; all share
one connection.

@example
```ts
const live = db.bucket('Todo').find({ done: false }).sort({ text: 1 }).live()

const stop = live.subscribe(({ data }) => show(data)) // calls back with each new result
stop()

for await (const { data, source } of live) show([data, source]) // until the loop is left

from(live).pipe(debounceTime(100)).subscribe(show) // RxJS and others take it for an observable
```
*/
export class Live<E> implements AsyncIterable<E> {
  readonly #start: Start<E>
  readonly #isState: boolean
  readonly #signal: AbortSignal | undefined

  /**
  @param isState whether a value replaces the ones before it: a slow loop then gets the last one
      only
  @param options `signal` ends all subscriptions and loops, and frees the server
  */
  constructor(start: Start<E>, isState: boolean, { signal }: AbortOptions = {}) {
    this.#start = start
    this.#isState = isState
    this.#signal = signal
  }

  /**
  Calls back with every value until it is undone.

  @param options `signal` undoes it as well
  @returns the undo, after which nothing is called
  */
  subscribe(listener: ((value: E) => void) | Observer<E>, { signal }: AbortOptions = {}): Unsubscribe {
    const observer: Observer<E> = typeof listener === 'function' ? { next: listener } : listener
    const signals = [this.#signal, signal].filter((each) => each !== undefined)
    let isOver = signals.some(({ aborted }) => aborted)
    const tell = (call: () => void) => {
      if (!isOver) alone(call)
    }
    const end = isOver
      ? () => {}
      : this.#start({
          next: (value) => tell(() => observer.next?.(value)),
          error: (error) => tell(() => (observer.error ? observer.error(error) : throwLater(error))),
          connection: (isConnected, silence) => tell(() => observer.connection?.(isConnected, silence)),
        })
    const undo = () => {
      if (isOver) return
      isOver = true
      signals.forEach((each) => each.removeEventListener('abort', undo))
      end()
    }
    signals.forEach((each) => each.addEventListener('abort', undo))
    return Object.assign(() => undo(), { unsubscribe: () => undo() })
  }

  /**
  Iterates over the values; leaving the loop ends the subscription, and it throws an error of the
  server. An abort ends the loop as if there were no more values.
  */
  [Symbol.asyncIterator](): AsyncIterableIterator<E, void, undefined> {
    const values: E[] = []
    let failure: Error | undefined
    let undo: Unsubscribe | undefined
    let isOver = false
    let wake = () => {}
    const signal = this.#signal
    const end = () => {
      isOver = true
      signal?.removeEventListener('abort', end)
      undo?.()
      wake()
    }
    const begin = () =>
      this.subscribe({
        next: (value) => {
          if (this.#isState) values.length = 0
          values.push(value)
          wake()
        },
        error: (error) => {
          failure = error
          wake()
        },
      })
    const attend = () => {
      if (signal?.aborted) end()
      signal?.addEventListener('abort', end)
      return begin()
    }
    const next = async (): Promise<IteratorResult<E, void>> => {
      undo ??= attend()
      while (!isOver && values.length === 0 && failure === undefined) {
        await new Promise<void>((resolve) => (wake = resolve))
      }
      if (!isOver && values.length > 0) {
        return { done: false, value: values.shift() as E }
      }
      const reason = isOver ? undefined : failure
      end()
      if (reason) throw reason
      return { done: true, value: undefined }
    }
    let last: Promise<unknown> = Promise.resolve()
    const iterator: AsyncIterableIterator<E, void, undefined> = {
      // one after the other, also for callers that do not wait for the one before
      next: () => {
        const turn = last.then(next)
        last = turn.catch(() => {})
        return turn
      },
      // also while a value is waited for, which may never come
      return: () => {
        end()
        return Promise.resolve({ done: true, value: undefined })
      },
      [Symbol.asyncIterator]: () => iterator,
    }
    return iterator
  }

  /** Method by which libraries recognise observables. */
  get ['@@observable'](): () => this {
    return () => this
  }
}

// libraries look for the symbol, if it is defined, and else for the text
const observable = (Symbol as unknown as { readonly observable?: symbol }).observable
if (observable) {
  Object.defineProperty(Live.prototype, observable, {
    value(this: unknown) {
      return this
    },
  })
}

/** A listener's own failure must not keep the others from their call. */
function alone(call: () => void): void {
  try {
    call()
  } catch (error) {
    throwLater(error)
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
