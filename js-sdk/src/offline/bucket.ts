import type { Changed, Draft } from '../objects/bucket.js'
import { type Change, operationsOf } from '../objects/update.js'
import type { Intent, QueuedWrite } from './queuedWrite.js'

/** Under which condition a queued write is done. */
export interface QueuedOptions {
  /** The version or entity tag that has to be stored, or `*` for any. */
  readonly ifMatch?: number | string
}

/**
Queues writes to objects of one class. Every call ends when the write is kept, not when it is done.

@example
```ts
const queue = await openQueue(db, { store: memoryQueue(), onConflict: () => 'drop' })
const { id } = await queue.bucket<Todo>('Todo').insert({ text: 'buy milk' })
```
*/
export class OfflineBucket<T extends object> {
  readonly #idOf: (key: string) => string
  readonly #add: (intent: Intent) => Promise<QueuedWrite>

  /** @param add keeps a write */
  constructor(idOf: (key: string) => string, add: (intent: Intent) => Promise<QueuedWrite>) {
    this.#idOf = idOf
    this.#add = add
  }

  /** Stores a new object; if it says no id it is given one. */
  insert(draft: Draft<T>): Promise<QueuedWrite> {
    const id = this.#idOf(draft.id ?? crypto.randomUUID())
    return this.#add({ kind: 'insert', id, body: { ...draft, id } })
  }

  /** Replaces an object of the version that it was read with; one without a version replaces any. */
  replace(object: Changed<T>, { ifMatch = object.version ?? '*' }: QueuedOptions = {}): Promise<QueuedWrite> {
    return this.#add({ kind: 'replace', id: object.id, body: object, ifMatch })
  }

  /** Stores an object whether or not there is one. */
  save(object: Changed<T>): Promise<QueuedWrite> {
    return this.#add({ kind: 'save', id: object.id, body: object })
  }

  /** Changes parts of an object. */
  update(key: string, change: Change<T>, options: QueuedOptions = {}): Promise<QueuedWrite> {
    return this.#add({ kind: 'update', id: this.#idOf(key), body: operationsOf(change), ...options })
  }

  /** Deletes an object. */
  delete(key: string, options: QueuedOptions = {}): Promise<QueuedWrite> {
    return this.#add({ kind: 'delete', id: this.#idOf(key), ...options })
  }
}
