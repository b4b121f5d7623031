import type { AbortOptions } from '../aborting.js'
import type { Changed, Draft } from '../objects/bucket.js'
import { type Change, operationsOf } from '../objects/update.js'
import type { Intent, QueuedWrite } from './queuedWrite.js'

/**
Options of a queued write. An abort before the write is stored prevents that; a stored write is no
longer aborted.
*/
export interface QueuedOptions extends AbortOptions {
  /** The version or entity tag that has to be stored, or `*` for any. */
  readonly ifMatch?: number | string
}

/**
Queues writes to objects of one class. Every call ends when the write is stored in the queue, not
when it is done.

@example
```ts
const queue = await openQueue(db, { store: memoryQueue(), onConflict: () => 'drop' })
const { id } = await queue.bucket<Todo>('Todo').insert({ text: 'buy milk' })
```
@example
```ts
const queue = await openQueue(db, { store: memoryQueue(), onConflict: () => 'drop' })
const queued = queue.bucket<Todo>('Todo')
const options: QueuedOptions = { ifMatch: milk.version }
await queued.replace({ ...milk, done: true }, options)
await queued.update('milk', (change) => change.inc('priority'))
await queued.save({ id: '/db/Todo/jam', text: 'cook jam' })
await queued.delete('tea')
await queue.flush()
queue.close()
```
*/
export class OfflineBucket<T extends object> {
  readonly #idOf: (key: string) => string
  readonly #add: (intent: Intent, options: AbortOptions) => Promise<QueuedWrite>

  /** @param add stores a write */
  constructor(
    idOf: (key: string) => string,
    add: (intent: Intent, options: AbortOptions) => Promise<QueuedWrite>,
  ) {
    this.#idOf = idOf
    this.#add = add
  }

  /** Stores a new object; one without an id gets a random one. */
  insert(draft: Draft<T>, options: AbortOptions = {}): Promise<QueuedWrite> {
    const id = this.#idOf(draft.id ?? crypto.randomUUID())
    return this.#add({ kind: 'insert', id, body: { ...draft, id } }, options)
  }

  /**
  Replaces an object of the version that it was read with; one without a version replaces any.
  */
  replace(object: Changed<T>, options: QueuedOptions = {}): Promise<QueuedWrite> {
    const { ifMatch = object.version ?? '*' } = options
    return this.#add({ kind: 'replace', id: object.id, body: object, ifMatch }, options)
  }

  /** Stores an object whether or not it exists. */
  save(object: Changed<T>, options: AbortOptions = {}): Promise<QueuedWrite> {
    return this.#add({ kind: 'save', id: object.id, body: object }, options)
  }

  /** Changes parts of an object. */
  update(key: string, change: Change<T>, options: QueuedOptions = {}): Promise<QueuedWrite> {
    const body = operationsOf(change)
    return this.#add({ kind: 'update', id: this.#idOf(key), body, ...condition(options) }, options)
  }

  /** Deletes an object. */
  delete(key: string, options: QueuedOptions = {}): Promise<QueuedWrite> {
    return this.#add({ kind: 'delete', id: this.#idOf(key), ...condition(options) }, options)
  }
}

function condition({ ifMatch }: QueuedOptions): Pick<QueuedOptions, 'ifMatch'> {
  return ifMatch === undefined ? {} : { ifMatch }
}
