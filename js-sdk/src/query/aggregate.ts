import type { Json } from '../caching/queryKey.js'
import { ProtocolError } from '../errors.js'
import { isRecord } from '../wire.js'

/**
Grouping and aggregates of each group: MongoDB's `$group` with `$count`, `$sum`, `$avg`, `$min` and
`$max`.

@example
```ts
const perState: Aggregate = { _id: '$done', n: { $sum: 1 }, last: { $max: '$createdAt' } }
```
*/
export type Aggregate = { readonly _id: Json; readonly [name: string]: Json }

/** One group: its key, and the aggregates. */
export type Row = { readonly _id: Json } & { readonly [name: string]: Json }

/** @throws {ProtocolError} if it is no array of rows */
export function toRows(body: unknown): Row[] {
  if (Array.isArray(body)) {
    return body.map(toRow)
  }
  throw new ProtocolError('Not the rows of an aggregate')
}

/** @throws {ProtocolError} if it is no row */
export function toRow(value: unknown): Row {
  if (isRecord(value) && value['_id'] !== undefined) {
    return value as unknown as Row
  }
  throw new ProtocolError('Not a row of an aggregate')
}
