import { type Query as QueryParameters, queryKey } from '../caching/queryKey.js'
import type { Bucket } from '../objects/bucket.js'
import { Overlay } from '../optimistic/overlay.js'
import { type Filter, toJson } from '../query/filter.js'
import type { Query } from '../query/query.js'
import { bucketOf } from '../ids.js'
import type { Stored } from '../wire.js'
import { Watch } from './watch.js'

/**
Any client, whatever its schema.

@example
```ts
const source: AnyClient = db
```
*/
export interface AnyClient {
  bucket<T extends object>(name: string): Bucket<T>
}

/** Data for a server's rendering, by query; JSON for the page that continues with them. */
export type Snapshot = { readonly [key: string]: readonly unknown[] }

/** All watches of one client, one for each query. */
export class Watches {
  static readonly #all = new WeakMap<AnyClient, Watches>()

  readonly overlay = new Overlay()
  readonly #watches = new Map<string, unknown>()

  static of(client: AnyClient): Watches {
    const known = this.#all.get(client) ?? new Watches()
    this.#all.set(client, known)
    return known
  }

  /** Returns the one watch of a query and all equal ones. */
  of<T extends object>(query: Query<T>, rendered: Snapshot = {}): Watch<T> {
    const key = keyOf(query)
    const known = this.#watches.get(key) as Watch<T> | undefined
    return known ?? this.#add(key, query, rendered[key] as readonly Stored<T>[] | undefined)
  }

  #add<T extends object>(key: string, query: Query<T>, initial: readonly Stored<T>[] | undefined): Watch<T> {
    const watch: Watch<T> = new Watch(query, this.overlay, initial, {
      revived: () => this.#watches.set(key, watch),
      idle: () => this.#watches.get(key) === watch && this.#watches.delete(key),
    })
    this.#watches.set(key, watch)
    return watch
  }
}

/** Returns equal texts for equal queries. */
export function keyOf({ bucket, spec }: Pick<Query<object>, 'bucket' | 'spec'>): string {
  const { filter, sort, offset = 0, limit = -1 } = spec
  const q = toJson(filter) as QueryParameters['q']
  return queryKey(bucket, {
    ...(q && { q }),
    sort: { ...sort } as { [path: string]: 1 | -1 },
    start: offset,
    count: limit,
  })
}

/** Returns the query for one object; its result has one or none. */
export function queryOf<T extends object>(client: AnyClient, id: string): Query<T> {
  return client.bucket<T>(bucketOf(id)).find({ id } as unknown as Filter<T>)
}
