import type { Path, ValueAt } from '../objects/update.js'
import { type Filter, both } from './filter.js'

/** Paths to 1, ascending, or -1; their order counts. Ties are ordered by id. */
export type Sort<T> = { readonly [P in Path<T> | 'id' | 'createdAt' | 'updatedAt' | 'version']?: 1 | -1 }

/** Filter, order and page of a query. */
export interface QuerySpec<T> {
  readonly filter: Filter<T>
  readonly sort?: Sort<T>
  readonly offset?: number
  readonly limit?: number
}

/** A place on earth, in degrees. */
export interface GeoPoint {
  readonly latitude: number
  readonly longitude: number
}

/** Types that a field can be compared with: its values, elements of lists, and dates. */
type Comparable<T, P> =
  | NonNullable<ValueAt<T, P>>
  | (NonNullable<ValueAt<T, P>> extends readonly (infer E)[] ? E : never)
  | Date
  | null

/**
Conditions, order and page of a query. Immutable: every method returns another `Q`.

@example
```ts
const urgent = todos.find().equal('done', false).greaterThan('priority', 2).descending('priority').limit(20)
```
@example
```ts
const some = todos
  .find()
  .filter({ tags: 'shop' }) // what MongoDB has, and there is no method for
  .notEqual('text', 'tea')
  .greaterOrEqual('priority', 1)
  .lessThan('priority', 9)
  .lessOrEqual('priority', 8)
  .in('text', ['buy milk', 'buy tea'])
  .notIn('id', ['/db/Todo/tea'])
  .containsAll('tags', ['shop'])
  .isNotNull('owner')
  .startsWith('text', 'buy')
  .matches('text', 'MILK$', 'i')
  .or({ done: false }, { priority: 1 })
  .ascending('text')
  .offset(0)
const { data: free } = await todos.find().isNull('owner').list()

interface Shop { name: string; place: GeoPoint }
const shops = db.bucket<Shop>('Shop')
const nearby = shops.find().near('place', { latitude: 53.55, longitude: 9.99 }, 1000)
const corners: GeoPoint[] = [[53, 9], [54, 9], [54, 10]].map(([latitude = 0, longitude = 0]) => ({ latitude, longitude }))
const inside = shops.find().within('place', corners)
show([some, nearby, inside].map((query) => query.spec.filter))
```
*/
export abstract class Conditions<T extends object, Q> {
  readonly spec: QuerySpec<T>

  constructor(spec: QuerySpec<T>) {
    this.spec = spec
  }

  /** Returns this query with other members. */
  protected abstract derive(changes: Partial<QuerySpec<T>>): Q

  /** Adds this MongoDB filter. */
  filter(filter: Filter<T>): Q {
    return this.derive({ filter: both(this.spec.filter, filter) as Filter<T> })
  }

  /** Fields that equal the value; lists and sets that contain it. Null matches unset fields. */
  equal<P extends Path<T> | 'id'>(path: P, value: Comparable<T, P>): Q {
    return this.#where(path, value)
  }

  /** Fields that do not equal the value, unset ones among them; lists and sets that do not contain it. */
  notEqual<P extends Path<T> | 'id'>(path: P, value: Comparable<T, P>): Q {
    return this.#where(path, { $ne: value })
  }

  /** Fields that are larger than the value. */
  greaterThan<P extends Path<T> | 'id'>(path: P, value: Comparable<T, P>): Q {
    return this.#where(path, { $gt: value })
  }

  /** Fields that are at least the value. */
  greaterOrEqual<P extends Path<T> | 'id'>(path: P, value: Comparable<T, P>): Q {
    return this.#where(path, { $gte: value })
  }

  /** Fields that are smaller than the value. */
  lessThan<P extends Path<T> | 'id'>(path: P, value: Comparable<T, P>): Q {
    return this.#where(path, { $lt: value })
  }

  /** Fields that are at most the value. */
  lessOrEqual<P extends Path<T> | 'id'>(path: P, value: Comparable<T, P>): Q {
    return this.#where(path, { $lte: value })
  }

  /** Fields that equal one of the values. */
  in<P extends Path<T> | 'id'>(path: P, values: readonly Comparable<T, P>[]): Q {
    return this.#where(path, { $in: values })
  }

  /** Fields that equal none of the values, unset ones among them. */
  notIn<P extends Path<T> | 'id'>(path: P, values: readonly Comparable<T, P>[]): Q {
    return this.#where(path, { $nin: values })
  }

  /** Lists and sets that contain all of the values. */
  containsAll(path: Path<T>, values: readonly unknown[]): Q {
    return this.#where(path, { $all: values })
  }

  /** Unset fields. */
  isNull(path: Path<T>): Q {
    return this.#where(path, null)
  }

  /** Fields that are set. */
  isNotNull(path: Path<T>): Q {
    return this.#where(path, { $ne: null })
  }

  /** Texts with this prefix. */
  startsWith(path: Path<T>, text: string): Q {
    return this.#where(path, { $regex: `^${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}` })
  }

  /** Texts in which a regular expression is found; flags as MongoDB's `$options`. */
  matches(path: Path<T>, pattern: string, flags = ''): Q {
    return this.#where(path, { $regex: pattern, ...(flags && { $options: flags }) })
  }

  /** Places near another one, nearest first unless the query is sorted. Needs a geo index. */
  near(path: Path<T>, { latitude, longitude }: GeoPoint, maxMetres: number): Q {
    const $geometry = { type: 'Point', coordinates: [longitude, latitude] }
    return this.#where(path, { $nearSphere: { $geometry, $maxDistance: maxMetres } })
  }

  /** Places inside of a polygon. */
  within(path: Path<T>, corners: readonly GeoPoint[]): Q {
    const ring = [...corners, ...corners.slice(0, 1)].map(({ latitude, longitude }) => [longitude, latitude])
    return this.#where(path, { $geoWithin: { $geometry: { type: 'Polygon', coordinates: [ring] } } })
  }

  /** Requires that one of the filters matches. */
  or(...filters: readonly Filter<T>[]): Q {
    return this.filter({ $or: filters } as unknown as Filter<T>)
  }

  /** Sets the order, in place of an earlier one. */
  sort(sort: Sort<T>): Q {
    return this.derive({ sort })
  }

  /** Adds this field to the order, after earlier ones. */
  ascending(path: Path<T> | 'createdAt' | 'updatedAt'): Q {
    return this.derive({ sort: { ...this.spec.sort, [path]: 1 } as Sort<T> })
  }

  /** Adds this field to the order, from large to small, after earlier ones. */
  descending(path: Path<T> | 'createdAt' | 'updatedAt'): Q {
    return this.derive({ sort: { ...this.spec.sort, [path]: -1 } as Sort<T> })
  }

  /** Sets the number of objects to leave out. */
  offset(offset: number): Q {
    return this.derive({ offset })
  }

  /**
  Sets the maximum number of objects to return; the server has a limit of its own, 500 by default.
  */
  limit(limit: number): Q {
    return this.derive({ limit })
  }

  #where(path: string, condition: unknown): Q {
    return this.filter({ [path]: condition } as Filter<T>)
  }
}
