import { bodyOf } from '../connector.js'
import { idOf } from '../ids.js'
import type { Metamodel } from '../metamodel.js'
import type { Filter } from '../query/filter.js'
import { Query } from '../query/query.js'
import type { ReadOptions, Result, Session } from '../session.js'
import { type Acl, type Identified, type Stored, toStored } from '../wire.js'
import { type BulkOperation, type BulkResult, toBulkMessage, toBulkResults } from './bulk.js'
import { type RetryOptions, retried } from './optimistic.js'
import { type Change, operationsOf } from './update.js'

/** A new object: its fields, and optionally its key or id and its permissions. */
export type Draft<T> = Partial<T> & { readonly id?: string; readonly acl?: Acl | null }

/** An object with changed fields; omitted ones become null. */
export type Changed<T> = Partial<T> & Identified & { readonly version?: number; readonly acl?: Acl | null }

/** Options of a load. */
export interface LoadOptions extends ReadOptions {
  /**
  Number of references in a row to replace by the referenced objects; true for as many as the server
  allows. What may not be read stays an id. Such answers come from the store.
  */
  readonly depth?: number | true
}

/** Options of every write. */
export interface WriteOptions {
  readonly signal?: AbortSignal
}

/** Options of a conditional write. */
export interface ConditionalOptions extends WriteOptions {
  /** The version or entity tag that has to be stored, or `*` for any. */
  readonly ifMatch?: number | string
}

/**
Reads and writes the objects of one class. Objects are plain objects: your changes of them are local
until you write them.

@example
```ts
const todos = db.bucket<{ text: string; done: boolean }>('Todo')
const milk = await todos.insert({ id: 'milk', text: 'buy milk', done: false })
await todos.replace({ ...milk, done: true })
```
*/
export class Bucket<T extends object> {
  readonly name: string
  readonly #session: Session
  readonly #metamodel: Metamodel

  constructor(name: string, session: Session, metamodel: Metamodel) {
    this.name = name
    this.#session = session
    this.#metamodel = metamodel
  }

  /**
  Loads one object, from a cache if its copy is new enough.

  @param key its key or its id
  @throws {NotFoundError} if there is none, or it may not be read

  @example
  ```ts
  const { data: milk, source } = await todos.load('milk', { consistency: 'any' })
  ```
  */
  async load(key: string, { depth, ...options }: LoadOptions = {}): Promise<Result<Stored<T>>> {
    const id = this.id(key)
    return depth === undefined
      ? this.#session.read(id, toStored<T>, (object) => [object], options)
      : this.#session.readUncached(`${id}?depth=${depth}`, toStored<T>, (object) => [object], options)
  }

  /**
  Stores a new object.

  @throws {ExistsError} if its id is in use

  @example
  ```ts
  const { id } = await todos.insert({ text: 'buy milk' })
  ```
  */
  async insert(draft: Draft<T>, options: WriteOptions = {}): Promise<Stored<T>> {
    const id = draft.id === undefined ? undefined : this.id(draft.id)
    const body = { ...draft, ...(id !== undefined && { id }) }
    return this.#write(id ?? this.#unknown(), `/db/${this.name}`, 'POST', body, options)
  }

  /**
  Replaces an object, unless others have changed it: the version that was read still has to be
  stored. An object without a version replaces any existing one.

  @throws {OutOfDateError} if another version is stored, or the object is deleted

  @example
  ```ts
  const { data, etag } = await todos.load('milk')
  await todos.replace({ ...data, done: true }, { ifMatch: etag ?? data.version })
  ```
  */
  async replace(object: Changed<T>, options: ConditionalOptions = {}): Promise<Stored<T>> {
    const { ifMatch = object.version ?? '*' } = options
    return this.#put(object, { ...options, ifMatch })
  }

  /**
  Stores an object whether or not it exists, and whatever its state.

  @example
  ```ts
  await todos.save({ id: todos.id('milk'), text: 'buy milk' })
  ```
  */
  async save(object: Changed<T>, options: WriteOptions = {}): Promise<Stored<T>> {
    return this.#put(object, options)
  }

  /**
  Changes parts of an object in one step; concurrent changes are not lost.

  @throws {NotFoundError} if there is no such object

  @example
  ```ts
  await todos.update('milk', (change) => change.set('done', true).inc('priority', 2))
  await todos.update('milk', { $set: { done: true } })
  ```
  */
  async update(key: string, change: Change<T>, options: ConditionalOptions = {}): Promise<Stored<T>> {
    const id = this.id(key)
    return this.#write(id, id, 'POST', operationsOf(change), options)
  }

  /**
  Loads an object, has it changed, and stores it; again if another write was faster.

  @param change returns the object to store, or changes the one it is given; it may be called
      several times
  @throws {OutOfDateError} if other writes were faster in all attempts

  @example
  ```ts
  await todos.optimisticUpdate('milk', (todo) => ({ ...todo, text: todo.text.toUpperCase() }))
  ```
  */
  optimisticUpdate(
    key: string,
    change: (object: Stored<T>) => Changed<T> | void | Promise<Changed<T> | void>,
    options: RetryOptions = {},
  ): Promise<Stored<T>> {
    const { signal } = options
    const attempt = async (number: number) => {
      const { data, etag } = await this.load(key, {
        ...(number > 0 && { consistency: 'fresh' as const }),
        ...(signal && { signal }),
      })
      const condition = etag ?? data.version
      const changed = (await change(data)) ?? data
      return this.replace(changed, { ifMatch: condition, ...(signal && { signal }) })
    }
    return retried(attempt, options)
  }

  /**
  Deletes an object; without a condition it is no error if there is none.

  @throws {OutOfDateError} if there is a condition that does not hold
  @example
  ```ts
  await todos.delete('milk', { ifMatch: milk.version })
  ```
  */
  async delete(key: string, { ifMatch, signal }: ConditionalOptions = {}): Promise<void> {
    const id = this.id(key)
    await this.#session.write([id], id, { method: 'DELETE', headers: condition(ifMatch), signal })
    this.#session.seen.gone(id)
  }

  /**
  Does up to 1,000 independent writes with one request: the results say which were done, in the
  order of the operations.

  @example
  ```ts
  const results = await todos.bulk([{ insert: { text: 'tea' } }, { delete: 'milk' }])
  const refused = results.filter((result) => result.error)
  ```
  */
  async bulk(
    operations: readonly BulkOperation<T>[],
    options: WriteOptions = {},
  ): Promise<readonly BulkResult[]> {
    const body = { operations: operations.map((each) => toBulkMessage(this.name, each)) }
    const ids = [this.#unknown(), ...operations.flatMap((each) => this.#idsOf(each))]
    const began = this.#session.seen.begin()
    const response = await this.#session.write(ids, `/db/${this.name}/bulk`, {
      method: 'POST',
      body,
      ...options,
    })
    const results = toBulkResults(await bodyOf(response))
    results.forEach((result, i) => this.#remember(result, operations[i], began))
    return results
  }

  /**
  Returns a query for objects that match a MongoDB filter; all without one. Its methods add
  conditions, order and page.

  @example
  ```ts
  const { data } = await todos.find({ done: false }).sort({ text: 1 }).limit(10).list()
  ```
  */
  find(filter: Filter<T> = {}): Query<T> {
    return new Query<T>(this.name, this.#session, this.#metamodel, { filter })
  }

  /**
  Returns the id of the object with this key; an id is returned unchanged.

  @throws {TypeError} for a key that no object can have: none, `.` and `..`

  @example
  ```ts
  todos.id('milk') // '/db/Todo/milk'
  ```
  */
  id(key: string): string {
    return idOf(this.name, key)
  }

  /** Returns an id for an object whose key only the server knows. */
  #unknown(): string {
    return `/db/${this.name}/`
  }

  #put(object: Changed<T>, options: ConditionalOptions): Promise<Stored<T>> {
    const id = this.id(object.id)
    return this.#write(id, id, 'PUT', { ...object, id }, options)
  }

  async #write(
    id: string,
    path: string,
    method: string,
    body: object,
    { ifMatch, signal }: ConditionalOptions,
  ): Promise<Stored<T>> {
    const request = { method, body, headers: condition(ifMatch), signal }
    const began = this.#session.seen.begin()
    const stored = toStored<T>(await bodyOf(await this.#session.write([id], path, request)))
    this.#session.seen.object(stored, began)
    return stored
  }

  #remember(
    { id, version, error }: BulkResult,
    operation: BulkOperation<T> | undefined,
    began: number,
  ): void {
    if (id !== undefined && version !== undefined) {
      this.#session.seen.object({ id, version }, began)
    } else if (error === undefined && operation !== undefined && 'delete' in operation) {
      this.#session.seen.gone(this.id(operation.delete))
    }
  }

  #idsOf(operation: BulkOperation<T>): string[] {
    if ('insert' in operation) {
      return operation.insert.id === undefined ? [] : [this.id(operation.insert.id)]
    }
    if ('replace' in operation) {
      return [this.id(operation.replace.id)]
    }
    return [this.id('update' in operation ? operation.id : operation.delete)]
  }
}

function condition(ifMatch: number | string | undefined): Record<string, string> {
  if (ifMatch === undefined) {
    return {}
  }
  return { 'If-Match': ifMatch === '*' || /"$/.test(String(ifMatch)) ? String(ifMatch) : `"${ifMatch}"` }
}
