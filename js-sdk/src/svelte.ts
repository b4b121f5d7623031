/**
Entry point `@orestes/sdk/svelte`: live queries and objects as Svelte's stores, which are objects
with `subscribe`.
*/
import type { Query } from './query/query.js'
import type { Watched } from './watching/watch.js'
import { type AnyClient, queryOf, type Snapshot, Watches } from './watching/watches.js'
import type { Stored } from './wire.js'

export { takeSnapshot, type Wanted } from './watching/snapshot.js'
export type { Watched } from './watching/watch.js'
export type { AnyClient, Snapshot } from './watching/watches.js'

/**
A store by Svelte's contract: calls back with its value at once and with each change, until undone.

@example
```ts
const store: ReadableStore<number> = { subscribe: (run) => (run(1), () => {}) }
```
*/
export interface ReadableStore<D> {
  subscribe(run: (value: D) => void): () => void
}

/** The stores of one client. */
export interface Stores {
  /** Returns the result of a query, with optimistic writes; in a component `$todos.data`. */
  live<T extends object>(query: Query<T>): ReadableStore<Watched<readonly Stored<T>[]>>
  /** Returns one object by its id; `data` is null if there is none, or it may not be read. */
  object<T extends object>(ref: string): ReadableStore<Watched<Stored<T> | null>>
}

/**
Returns live queries and objects of a client as stores. They are live as long as they have a
subscriber, as `$store` is in a component.

@param snapshot data that a server has rendered

@example
```ts
const { live, object } = stores(db)
const open = live(todos.find({ done: false }))
const stop = open.subscribe(({ data, source, error }) => show(data ? [data, source] : (error ?? 'loading')))
object<Todo>('/db/Todo/milk').subscribe(({ data }) => show(data?.text))
```
*/
export function stores(client: AnyClient, snapshot: Snapshot = {}): Stores {
  const live: Stores['live'] = (query) => storeOf(query, (state) => state)
  function storeOf<T extends object, D>(
    query: Query<T>,
    view: (state: Watched<readonly Stored<T>[]>) => D,
  ): ReadableStore<D> {
    return {
      subscribe(run) {
        const watch = Watches.of(client).of(query, snapshot)
        const tell = () => run(view(watch.current()))
        tell()
        return watch.subscribe(tell)
      },
    }
  }
  return {
    live,
    object: <T extends object>(ref: string) =>
      storeOf(queryOf<T>(client, ref), (state) => ({
        ...state,
        data: state.data && (state.data[0] ?? null),
      })),
  }
}
