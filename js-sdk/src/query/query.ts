import type { AbortOptions } from '../aborting.js'
import { type Json, queryKey } from '../caching/queryKey.js'
import { TOLD } from '../caching/source.js'
import { ProtocolError } from '../errors.js'
import type { Follower, LiveEvent } from '../live/follow.js'
import type { Metamodel } from '../metamodel.js'
import type { ReadOptions, Result, Session } from '../session.js'
import { type Stored, isRecord, toResult, toStored } from '../wire.js'
import { type Aggregate, type Row, toRows } from './aggregate.js'
import { Conditions, type QuerySpec } from './conditions.js'
import { toJson } from './filter.js'
import { Live, type LiveResult, type Observer } from './live.js'
import { keysetPages } from './pages.js'

/** Options of the execution of a query. */
export interface ListOptions extends ReadOptions {
  /**
  Number of references in a row to replace by the referenced objects. Such results come from the
  store.
  */
  readonly depth?: number | true
}

/**
Some intermediaries refuse longer URLs; such queries are sent as a body, which no cache stores.
*/
const MAX_URL = 2000

/**
A query for objects of one class. Immutable: every method returns another query.

@example
```ts
const open = todos.find().equal('done', false)
const { data: urgent } = await open.greaterThan('priority', 2).descending('priority').limit(20).list()
const { data: howMany } = await open.count()
```
*/
export class Query<T extends object> extends Conditions<T, Query<T>> {
  readonly bucket: string
  readonly #session: Session
  readonly #metamodel: Metamodel

  constructor(bucket: string, session: Session, metamodel: Metamodel, spec: QuerySpec<T>) {
    super(spec)
    this.bucket = bucket
    this.#session = session
    this.#metamodel = metamodel
  }

  /**
  Returns the objects, in order; from a cache if its copy is new enough.

  @throws {ServerError} `QUERY_NOT_SUPPORTED` or `SYNTAX_ERROR` if the server cannot run the query

  @example
  ```ts
  const { data, source } = await todos.find({ done: false }).list({ boundSeconds: 5 })
  ```
  */
  list({ depth, ...options }: ListOptions = {}): Promise<Result<Stored<T>[]>> {
    const key = this.#key()
    const narrow = (body: unknown) => toResult(body).map((each) => toStored<T>(each))
    if (this.#session.connector.base.length + key.length > MAX_URL) {
      return this.#post(key, depth, narrow, options)
    }
    return depth === undefined
      ? this.#session.read(key, narrow, (objects) => objects, options)
      : this.#session.readUncached(withDepth(key, depth), narrow, (objects) => objects, options, key)
  }

  /**
  Returns the first object, or undefined if there is none.

  @example
  ```ts
  const { data: next } = await todos.find({ done: false }).descending('priority').first()
  show(next?.text)
  ```
  */
  async first(options: ListOptions = {}): Promise<Result<Stored<T> | undefined>> {
    const result = await this.limit(1).list(options)
    return { ...result, data: result.data[0] }
  }

  /**
  Returns the number of matching objects, independent of limit and offset.

  @example
  ```ts
  const { data: open } = await todos.find({ done: false }).count()
  ```
  */
  count({ signal }: ReadOptions = {}): Promise<Result<number>> {
    const q = JSON.stringify(this.#q())
    const path = `/db/${this.bucket}/count`
    const url = `${path}?q=${encodeURIComponent(q)}`
    return url.length > MAX_URL
      ? this.#session.readUncached(path, toCount, none, { method: 'POST', body: q, signal })
      : this.#session.readUncached(url, toCount, none, { signal })
  }

  /**
  Groups the objects, and computes aggregates of each group.

  @example
  ```ts
  const { data: rows } = await todos.find().aggregate({ _id: '$done', n: { $sum: 1 } })
  ```
  */
  aggregate(aggregate: Aggregate, { signal }: ReadOptions = {}): Promise<Result<Row[]>> {
    const parameters = new URLSearchParams({
      q: JSON.stringify(this.#q()),
      aggregate: JSON.stringify(aggregate),
    })
    return this.#session.readUncached(`/db/${this.bucket}/query?${parameters}`, toRows, none, { signal })
  }

  /**
  Returns the result in pages, each of which begins behind the last object of the one before:
  concurrent insertions and deletions neither double objects nor leave any out, as offsets would.
  Does not support an order by list fields or by distance.

  @throws {TypeError} in the loop, for places near another one without an order

  @example
  ```ts
  for await (const { data: page } of todos.find().ascending('text').pages(100)) page.forEach(show)
  ```
  */
  pages(size: number, options: ListOptions = {}): AsyncIterable<Result<Stored<T>[]>> {
    return keysetPages(this, size, options, (path) => this.#metamodel.typeOf(this.bucket, path))
  }

  /**
  Returns the live result: a new list after every change, also of those that the limit hides or
  shows. Lists are never changed in place. The code is loaded with the first subscription.

  @param options `signal` ends all subscriptions and loops, and frees the server

  @example
  ```ts
  for await (const { data: open } of todos.find({ done: false }).live({ signal: AbortSignal.timeout(60_000) })) show(open)
  const stop = todos.find({ done: false }).ascending('text').limit(10).live().subscribe(({ data }) => show(data))
  ```
  */
  live(options: AbortOptions = {}): Live<LiveResult<readonly Stored<T>[]>> {
    return new Live(
      (observer) => this.#followObjects(observer, (data) => observer.next({ data, ...TOLD })),
      true,
      options,
    )
  }

  /**
  Returns every change of the result. It begins with an `add` for each current object; events that
  were missed while the connection was lost follow after the reconnection.

  @example
  ```ts
  for await (const { matchType, data } of todos.find({ done: false }).liveEvents()) console.log(matchType, data.id)
  ```
  */
  liveEvents(options: AbortOptions = {}): Live<LiveEvent<Stored<T>>> {
    return new Live(
      (observer) =>
        this.#followObjects(observer, (_, events) => events.forEach((each) => observer.next(each))),
      false,
      options,
    )
  }

  /**
  Returns the live groups of an aggregate.

  @example
  ```ts
  todos.find().liveAggregate({ _id: '$done', n: { $sum: 1 } }).subscribe(({ data: rows }) => console.table(rows))
  ```
  */
  liveAggregate(aggregate: Aggregate, options: AbortOptions = {}): Live<LiveResult<readonly Row[]>> {
    const spec = { bucket: this.bucket, q: this.#q(), aggregate }
    return new Live(
      (observer) =>
        this.#session.follow(spec, ({ rows }) => rows, {
          ...observer,
          list: (data) => observer.next({ data, ...TOLD }),
        }),
      true,
      options,
    )
  }

  #followObjects(
    observer: Pick<Required<Observer<never>>, 'error' | 'connection'>,
    list: Follower<Stored<T>>['list'],
  ): () => void {
    const { sort, offset, limit } = this.spec
    const spec = {
      bucket: this.bucket,
      q: this.#q(),
      ...(sort && { sort: { ...sort } as { [path: string]: 1 | -1 } }),
      ...(offset !== undefined && { offset }),
      ...(limit !== undefined && { limit }),
    }
    const { error, connection } = observer
    const { seen } = this.#session
    let key: string | undefined
    const undo = this.#session.follow(spec, ({ objects }) => objects<T>(), {
      error,
      connection,
      list: (objects, events) => {
        // a deleted object has only its id
        events.forEach(({ data }) => (data.version === undefined ? seen.gone(data.id) : seen.object(data)))
        seen.told((key ??= this.#key()), objects)
        list(objects, events)
      },
    })
    return () => {
      undo()
      if (key !== undefined) seen.toldLast(key)
    }
  }

  #key(): string {
    const { sort, offset, limit } = this.spec
    return queryKey(this.bucket, {
      q: this.#q(),
      sort: { ...sort } as { [path: string]: 1 | -1 },
      start: offset ?? 0,
      count: limit ?? -1,
    })
  }

  #q(): { [key: string]: Json } {
    return toJson(this.spec.filter) as { [key: string]: Json }
  }

  #post(
    key: string,
    depth: ListOptions['depth'],
    narrow: (body: unknown) => Stored<T>[],
    { signal }: ReadOptions,
  ): Promise<Result<Stored<T>[]>> {
    const url = new URL(key, 'http://localhost')
    url.searchParams.delete('q')
    const path = withDepth(url.pathname + url.search, depth)
    const request = { method: 'POST', body: JSON.stringify(this.#q()), signal }
    return this.#session.readUncached(path, narrow, (objects) => objects, request, key)
  }

  protected override derive(changes: Partial<QuerySpec<T>>): Query<T> {
    return new Query<T>(this.bucket, this.#session, this.#metamodel, { ...this.spec, ...changes })
  }
}

/** Counts and groups are no objects. */
const none = () => []

function withDepth(path: string, depth: number | true | undefined): string {
  return depth === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}depth=${depth}`
}

function toCount(body: unknown): number {
  if (isRecord(body) && typeof body['count'] === 'number') {
    return body['count']
  }
  throw new ProtocolError('Not a count')
}
