/**
Returns the id of an object: `/db/<bucket>/<key>`. An id of that bucket is returned in the spelling
of the server.

@throws {TypeError} for a key that no object can have, as in a URL it would stand for all objects:
    none, `.` and `..`

@example
```ts
idOf('Todo', 'buy milk') // '/db/Todo/buy%20milk'
```
*/
export function idOf(bucket: string, keyOrId: string): string {
  const prefix = `/db/${bucket}/`
  const key = keyOrId.startsWith(prefix) ? decodeURIComponent(keyOrId.slice(prefix.length)) : keyOrId
  if (['', '.', '..'].includes(key)) {
    throw new TypeError(`Not the key of an object: '${keyOrId}'`)
  }
  return prefix + encodeURIComponent(key)
}

/**
Returns the bucket of an id.

@example
```ts
bucketOf('/db/Todo/milk') // 'Todo'
```
*/
export function bucketOf(id: string): string {
  return id.split('/', 3)[2] ?? ''
}

/**
The id of another object as the value of a field.

@example
```ts
interface Todo { text: string; owner: Ref<User> }
const { data: owner } = await db.load<User>(todo.owner)
```
*/
export type Ref<T> = string & { readonly __refersTo?: T }
