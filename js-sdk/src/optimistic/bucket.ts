import type { Bucket, Changed, ConditionalOptions, Draft, WriteOptions } from '../objects/bucket.js'
import { type Change, operationsOf } from '../objects/update.js'
import type { Identified, Stored } from '../wire.js'
import { deleting, type Effect, inserting, replacing, updating } from './effects.js'
import type { Overlay } from './overlay.js'

/**
Writes objects of one class, each shown while it is under way. Until the server has answered, a new
object has the version 0.

@example
```ts
await optimistic(db).bucket<Todo>('Todo').insert({ text: 'buy milk' })
```
@example
```ts
const mine = optimistic(db).bucket<Todo>('Todo')
const bought = await mine.replace({ ...milk, done: true })
await mine.save({ id: '/db/Todo/jam', text: 'cook jam' })
await mine.delete('milk', { ifMatch: bought.version })
```
*/
export class OptimisticBucket<T extends object> {
  readonly #bucket: Bucket<T>
  readonly #overlay: Overlay

  constructor(bucket: Bucket<T>, overlay: Overlay) {
    this.#bucket = bucket
    this.#overlay = overlay
  }

  /** Stores a new object; one without an id gets a random one. */
  insert(draft: Draft<T>, options: WriteOptions = {}): Promise<Stored<T>> {
    const id = this.#bucket.id(draft.id ?? crypto.randomUUID())
    const object = { ...draft, id } as Draft<T> & Identified
    return this.#show(id, inserting(object), this.#bucket.insert(object, options))
  }

  /** Replaces an object, unless it was changed by others. */
  replace(object: Changed<T>, options: ConditionalOptions = {}): Promise<Stored<T>> {
    return this.#show(object.id, replacing(object), this.#bucket.replace(object, options))
  }

  /** Stores an object whether or not it exists. */
  save(object: Changed<T>, options: WriteOptions = {}): Promise<Stored<T>> {
    return this.#show(object.id, replacing(object), this.#bucket.save(object, options))
  }

  /** Changes parts of an object. */
  update(key: string, change: Change<T>, options: ConditionalOptions = {}): Promise<Stored<T>> {
    const operations = operationsOf(change)
    const id = this.#bucket.id(key)
    return this.#show(id, updating(operations), this.#bucket.update(id, operations, options))
  }

  /** Deletes an object. */
  delete(key: string, options: ConditionalOptions = {}): Promise<void> {
    return this.#overlay.show(this.#bucket.id(key), deleting, this.#bucket.delete(key, options))
  }

  #show(id: string, effect: Effect, done: Promise<Stored<T>>): Promise<Stored<T>> {
    return this.#overlay.show(id, effect, done as Promise<Stored<T> & object>)
  }
}
