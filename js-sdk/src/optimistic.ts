/** Entry point `@orestes/sdk/optimistic`: writes that are shown before they are done. */
import type { AbortOptions } from './aborting.js'
import type { AnySchema } from './client.js'
import { OptimisticBucket } from './optimistic/bucket.js'
import { Live, type LiveResult } from './query/live.js'
import type { Query } from './query/query.js'
import type { Found, Watched } from './watching/watch.js'
import { type AnyClient, Watches } from './watching/watches.js'
import type { Stored } from './wire.js'

export type { OptimisticBucket } from './optimistic/bucket.js'
export type { AnyClient } from './watching/watches.js'

/**
Returns writes that all results of this client show at once: the React hooks, the Svelte stores, and
{@link Optimistic.live}. A write that the server refuses disappears again, and its call fails as it
would without.

The client decides whether an object belongs to a result for comparisons, `$in`, `$and`, `$or` and
`$nor`; for other conditions objects change in place, and the server adds and removes them.

@example
```ts
const mine = optimistic(db)
mine.bucket<Todo>('Todo').update('milk', { $set: { done: true } }).catch(show)
```
*/
export function optimistic(client: AnyClient): Optimistic {
  return new Optimistic(client)
}

/**
The writes of one client that are shown before they are done; created by {@link optimistic}.

@example
```ts
const stop = optimistic(db).live(todos.find({ done: false })).subscribe(show)
```
*/
export class Optimistic {
  readonly #client: AnyClient

  constructor(client: AnyClient) {
    this.#client = client
  }

  /** Returns the objects of one class for writes. */
  bucket<T extends object = AnySchema[string]>(name: string): OptimisticBucket<T> {
    return new OptimisticBucket(this.#client.bucket<T>(name), Watches.of(this.#client).overlay)
  }

  /** Returns a live result of a query, with the writes that are under way. `signal` ends it. */
  live<T extends object>(
    query: Query<T>,
    options: AbortOptions = {},
  ): Live<LiveResult<readonly Stored<T>[]>> {
    return new Live(
      (observer) => {
        const watch = Watches.of(this.#client).of(query)
        let told: Watched<readonly Stored<T>[]> | undefined
        const tell = () => {
          const [before, now] = [told, watch.current()]
          told = now
          if (before?.error) return
          if (now.isConnected !== (before?.isConnected ?? false))
            observer.connection(now.isConnected, silenceOf(now))
          if (now.error) observer.error(now.error)
          else if (isFound(now) && now.data !== before?.data) observer.next(toLiveResult(now))
        }
        tell()
        return watch.subscribe(tell)
      },
      true,
      options,
    )
  }
}

function isFound<D>(state: Watched<D>): state is Found<D> {
  return state.data !== undefined
}

function toLiveResult<D>({ data, source, age, bound }: Found<D>): LiveResult<D> {
  return { data, source, age, bound }
}

/**
Returns the silence before the connection was lost, which a first result from a cache does not show.
*/
function silenceOf<D>({ isConnected, source, age = 0 }: Watched<D>): number {
  return !isConnected && source === 'live' ? age : 0
}
