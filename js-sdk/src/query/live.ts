/** Ends a subscription: to be called, or by its method as observables have it. */
export interface Unsubscribe {
  (): void
  unsubscribe(): void
}

/** Who is told of a live query; all are optional. */
export interface Observer<E> {
  next?(value: E): void
  /** The server ended the query, or sent what is no event; nothing follows. Without this the error is thrown where nobody catches it. */
  error?(error: Error): void
  /** The connection is up (again), or lost; it is made again by itself, and nothing is missed. */
  connection?(isConnected: boolean): void
}

/** Begins to follow a query; returns its undo, after which nothing is called. */
export type Start<E> = (observer: Required<Observer<E>>) => () => void

/**
What a live query tells, for as long as somebody listens. Every subscription stands for itself; all share one connection.

@example
```ts
const live = db.bucket('Todo').find({ done: false }).sort({ text: 1 }).live()

const stop = live.subscribe((todos) => show(todos)) // calls back with each new result
stop()

for await (const todos of live) show(todos) // until the loop is left

from(live).pipe(debounceTime(100)).subscribe(show) // RxJS and others take it for an observable
```
*/
export class Live<E> implements AsyncIterable<E> {
  readonly #start: Start<E>
  readonly #isState: boolean

  /** @param isState whether a value makes the ones before it worthless: a slow loop then gets the last one only */
  constructor(start: Start<E>, isState: boolean) {
    this.#start = start
    this.#isState = isState
  }

  /**
  Calls back with every value until it is undone.

  @param options `signal` undoes it as well
  @returns the undo, after which nothing is called
  */
  subscribe(
    listener: ((value: E) => void) | Observer<E>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Unsubscribe {
    const observer: Observer<E> = typeof listener === 'function' ? { next: listener } : listener
    let isOver = signal?.aborted === true
    const tell = (call: () => void) => {
      if (!isOver) alone(call)
    }
    const end = isOver
      ? () => {}
      : this.#start({
          next: (value) => tell(() => observer.next?.(value)),
          error: (error) => tell(() => (observer.error ? observer.error(error) : throwLater(error))),
          connection: (isConnected) => tell(() => observer.connection?.(isConnected)),
        })
    const undo = () => {
      if (isOver) return
      isOver = true
      signal?.removeEventListener('abort', undo)
      end()
    }
    signal?.addEventListener('abort', undo)
    return Object.assign(() => undo(), { unsubscribe: () => undo() })
  }

  /** The values one by one; leaving the loop ends the subscription, an error of the server is thrown in it. */
  [Symbol.asyncIterator](): AsyncIterableIterator<E, void, undefined> {
    const values: E[] = []
    let failure: Error | undefined
    let undo: Unsubscribe | undefined
    let isOver = false
    let wake = () => {}
    const end = () => {
      isOver = true
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
    const next = async (): Promise<IteratorResult<E, void>> => {
      undo ??= begin()
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
      // one after the other, whoever does not wait for the one before
      next: () => {
        const turn = last.then(next)
        last = turn.catch(() => {})
        return turn
      },
      // also while a value is waited for, which never may come
      return: () => {
        end()
        return Promise.resolve({ done: true, value: undefined })
      },
      [Symbol.asyncIterator]: () => iterator,
    }
    return iterator
  }

  /** What libraries for observables look for. */
  get ['@@observable'](): () => this {
    return () => this
  }
}

// libraries look for the symbol, if somebody has defined it, and else for the text
const observable = (Symbol as unknown as { readonly observable?: symbol }).observable
if (observable) {
  Object.defineProperty(Live.prototype, observable, {
    value(this: unknown) {
      return this
    },
  })
}

/** A listener's own failure is no reason to stop telling the others. */
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
