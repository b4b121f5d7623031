import type { Json } from '../caching/queryKey.js'

/**
Operators on the value of a field. Dates stand for instants, and for ISO text in fields of type
DateTime.
*/
export interface Operators<V> {
  readonly $eq?: Value<V>
  readonly $ne?: Value<V>
  readonly $gt?: Value<V>
  readonly $gte?: Value<V>
  readonly $lt?: Value<V>
  readonly $lte?: Value<V>
  readonly $in?: readonly Value<V>[]
  readonly $nin?: readonly Value<V>[]
  readonly $all?: readonly unknown[]
  readonly $regex?: string
  readonly [operator: `$${string}`]: unknown
}

type Value<V> = V | Date | null | (V extends readonly (infer E)[] ? E : never)

/**
A MongoDB filter. Fields of `T` are checked; paths (`address.city`), `$and`, `$or` and the rest of the language are free.

@example
```ts
const urgent: Filter<Todo> = { done: false, priority: { $gte: 3 }, $or: [{ text: { $regex: '^buy' } }, { tags: 'shop' }] }
```
*/
export type Filter<T> = {
  readonly [K in keyof T]?: Value<T[K]> | Operators<NonNullable<T[K]>>
} & { readonly [path: string]: unknown }

/**
Returns a filter as JSON; dates as `{ $date: … }`, which the server recognises, and sets as lists.

@throws {TypeError} for what JSON would convert to something else, such as NaN and regular
    expressions
*/
export function toJson(value: unknown): Json {
  if (value instanceof Date) {
    return { $date: value.toISOString() }
  }
  if (Array.isArray(value) || value instanceof Set) {
    return Array.from(value as Iterable<unknown>, toJson)
  }
  if (
    value instanceof RegExp ||
    value instanceof Map ||
    (typeof value === 'number' && !Number.isFinite(value))
  ) {
    throw new TypeError(`A filter cannot have ${String(value)}`)
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined)
    return Object.fromEntries(entries.map(([key, member]) => [key, toJson(member)]))
  }
  return value as Json
}

/** Returns a filter of objects that match both. */
export function both(first: Filter<object>, second: Filter<object>): Filter<object> {
  const isDistinct = Object.keys(second).every((key) => !(key in first))
  return isDistinct ? { ...first, ...second } : { $and: [first, second] }
}
