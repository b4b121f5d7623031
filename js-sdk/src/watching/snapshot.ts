import type { Query } from '../query/query.js'
import { type AnyClient, keyOf, queryOf, type Snapshot } from './watches.js'

/**
Loads what a page shows, for a server to render it and for the browser to go on without loading it again.

Put into a page as a script, `<` has to be escaped in its JSON: `JSON.stringify(snapshot).replaceAll('<', '\\u003c')`.

@param wanted queries, and ids of objects
@throws {ServerError} if one of them cannot be read
@example
```ts
const snapshot = await takeSnapshot(db, todos.find({ done: false }), '/db/Todo/milk')
```
*/
export async function takeSnapshot(
  client: AnyClient,
  ...wanted: readonly (Pick<Query<object>, 'bucket' | 'spec' | 'list'> | string)[]
): Promise<Snapshot> {
  const queries = wanted.map((each) => (typeof each === 'string' ? queryOf(client, each) : each))
  const results = await Promise.all(queries.map((each) => each.list()))
  return Object.fromEntries(queries.map((each, i) => [keyOf(each), results[i]?.data ?? []]))
}
