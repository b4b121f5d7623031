import type { Query } from '../query/query.js'
import type { ReadOptions } from '../session.js'
import { type AnyClient, keyOf, queryOf, type Snapshot } from './watches.js'

/** Part of a snapshot: a query, or the id of an object. */
export type Wanted = Pick<Query<object>, 'bucket' | 'spec' | 'list'> | string

/**
Loads the data of a page, for a server to render it and for the browser to continue without loading
them again.

In a script of a page, `<` has to be escaped in its JSON: `JSON.stringify(snapshot).replaceAll('<',
'\\u003c')`.

@param wanted queries, and ids of objects; in a list if options follow
@throws {ServerError} if one of them cannot be read

@example
```ts
const snapshot = await takeSnapshot(db, todos.find({ done: false }), '/db/Todo/milk')
const inTime = await takeSnapshot(db, [todos.find()], { signal: AbortSignal.timeout(2000) })
```
*/
export function takeSnapshot(client: AnyClient, ...wanted: readonly Wanted[]): Promise<Snapshot>
export function takeSnapshot(
  client: AnyClient,
  wanted: readonly Wanted[],
  options?: ReadOptions,
): Promise<Snapshot>
export function takeSnapshot(client: AnyClient, ...given: readonly unknown[]): Promise<Snapshot> {
  const [wanted, options] = given
  return Array.isArray(wanted)
    ? load(client, wanted as Wanted[], options as ReadOptions | undefined)
    : load(client, given as Wanted[])
}

async function load(client: AnyClient, wanted: readonly Wanted[], options?: ReadOptions): Promise<Snapshot> {
  const queries = wanted.map((each) => (typeof each === 'string' ? queryOf(client, each) : each))
  const results = await Promise.all(queries.map((each) => each.list(options)))
  return Object.fromEntries(queries.map((each, i) => [keyOf(each), results[i]?.data ?? []]))
}
