import { NotFoundError } from '../errors.js'
import { idOf } from '../ids.js'
import type { Changed, Draft } from '../objects/bucket.js'
import { type Change, type UpdateOperations, operationsOf } from '../objects/update.js'
import type { Result } from '../session.js'
import type { Identified, Stored } from '../wire.js'

/** Loads an object; fails with {@link NotFoundError} if there is none. */
export type Loader = (id: string) => Promise<Result<Stored<object>>>

/** What is sent to commit a transaction (protocol, section 12). */
export interface CommitMessage {
  readonly readSet: readonly { readonly oid: string; readonly version: number }[]
  readonly writeSet: readonly Identified[]
  readonly deleteSet: readonly { readonly [id: string]: number }[]
  readonly partialUpdates: readonly { readonly ref: string; readonly operations: UpdateOperations }[]
}

/** Records operations on objects of any class. */
export interface Work {
  read(id: string): Promise<Result<Stored<object>>>
  put(object: Identified & { readonly version?: number }): void
  update(id: string, operations: UpdateOperations): void
  delete(id: string): Promise<void>
  toMessage(): CommitMessage
}

/** Provenance of a transaction's own writes, which are not visible outside yet. */
const OWN = { source: 'local', age: 0, bound: 0, etag: null } as const

type Write =
  | { readonly kind: 'put'; readonly object: Identified & { readonly version?: number } }
  | { readonly kind: 'delete'; readonly version: number }
  | { readonly kind: 'update'; readonly operations: readonly UpdateOperations[] }

/**
One attempt of a transaction: what it read, and what it is to write. Nothing is written before the
task has ended. Each object is read once, and seen as the transaction has changed it.

@example
```ts
await db.transaction((tx) => tx.bucket('Todo').update('milk', (change) => change.inc('priority')))
```
*/
export class Transaction<S extends object = object> implements Work {
  readonly #load: Loader
  readonly #reads = new Map<string, Promise<Result<Stored<object>>>>()
  readonly #versions = new Map<string, number>()
  readonly #writes = new Map<string, Write>()

  constructor(load: Loader) {
    this.#load = load
  }

  /** Returns the objects of one class, as this transaction sees them. */
  bucket<N extends keyof S & string>(name: N): TransactionBucket<Extract<S[N], object>>
  bucket<T extends object>(name: string): TransactionBucket<T>
  bucket<T extends object>(name: string): TransactionBucket<T> {
    return new TransactionBucket<T>(name, this)
  }

  /**
  Returns an object as this transaction has changed it.

  @internal
  @throws {NotFoundError} if there is none, which the commit checks as well
  */
  async read(id: string): Promise<Result<Stored<object>>> {
    const write = this.#writes.get(id)
    if (write === undefined) {
      const { data, ...provenance } = await this.#readOnce(id)
      return { data: structuredClone(data), ...provenance }
    }
    if (write.kind === 'update') {
      throw new TypeError(`${id} was updated in part, and cannot be read before the commit`)
    }
    if (write.kind === 'delete') {
      throw new NotFoundError(404, 'Object Not Found', `This transaction deletes ${id}`)
    }
    return { data: structuredClone(write.object) as Stored<object>, ...OWN }
  }

  /**
  Records an object that is to be stored.

  @internal
  @throws {TypeError} if it was updated in part
  */
  put(object: Identified & { readonly version?: number }): void {
    const known = this.#writes.get(object.id)
    if (known?.kind === 'update') {
      throw twice(object.id)
    }
    // an object that replaces a deleted one has its version
    const version = object.version ?? (known?.kind === 'delete' ? known.version : undefined)
    const versioned = { ...object, ...(version !== undefined && { version }) }
    this.#writes.set(object.id, { kind: 'put', object: structuredClone(versioned) })
  }

  /**
  Records changes of parts of an object.

  @internal
  @throws {TypeError} if it was written as a whole
  */
  update(id: string, operations: UpdateOperations): void {
    const known = this.#writes.get(id)
    if (known !== undefined && known.kind !== 'update') {
      throw twice(id)
    }
    this.#writes.set(id, { kind: 'update', operations: [...(known?.operations ?? []), operations] })
  }

  /**
  Records that an object is to be deleted; one that was inserted by this transaction is only
  dropped.

  @internal
  */
  async delete(id: string): Promise<void> {
    const known = this.#writes.get(id)
    if (known?.kind === 'update') {
      throw twice(id)
    }
    if (known?.kind === 'put' && known.object.version === undefined) {
      this.#writes.delete(id)
      return
    }
    const { version } = known?.kind === 'put' ? known.object : (await this.#readOnce(id)).data
    this.#writes.set(id, { kind: 'delete', version: version as number })
  }

  /**
  Returns the checks and writes for the server.

  @internal
  */
  toMessage(): CommitMessage {
    const writes = [...this.#writes]
    return {
      readSet: [...this.#versions].map(([oid, version]) => ({ oid, version })),
      writeSet: writes.flatMap(([, write]) => (write.kind === 'put' ? [write.object] : [])),
      deleteSet: writes.flatMap(([id, write]) => (write.kind === 'delete' ? [{ [id]: write.version }] : [])),
      partialUpdates: writes.flatMap(([ref, write]) =>
        write.kind === 'update' ? write.operations.map((operations) => ({ ref, operations })) : [],
      ),
    }
  }

  #readOnce(id: string): Promise<Result<Stored<object>>> {
    const known = this.#reads.get(id)
    if (known) {
      return known
    }
    const reading = this.#load(id).then(
      (result) => this.#noted(id, result.data.version, result),
      (error: unknown) => {
        if (error instanceof NotFoundError) this.#noted(id, 0, undefined)
        throw error
      },
    )
    this.#reads.set(id, reading)
    return reading
  }

  #noted<T>(id: string, version: number, result: T): T {
    this.#versions.set(id, version)
    return result
  }
}

function twice(id: string): TypeError {
  return new TypeError(`A transaction writes ${id} in part or as a whole, not both`)
}

/**
The objects of one class in a {@link Transaction}.

@example
```ts
const id = await db.transaction(async (tx) => {
  const { data: milk } = await tx.bucket('Todo').load('milk')
  await tx.bucket('Todo').delete('milk')
  return tx.bucket('Todo').insert({ text: milk.text })
})
```
*/
export class TransactionBucket<T extends object> {
  readonly name: string
  readonly #transaction: Work

  constructor(name: string, transaction: Work) {
    this.name = name
    this.#transaction = transaction
  }

  /**
  Returns a copy of an object, and the provenance of its first read. What this transaction has
  written itself is `local`, and has no version yet if it was inserted.

  @throws {NotFoundError} if there is none, or it may not be read
  */
  async load(key: string): Promise<Result<Stored<T>>> {
    return (await this.#transaction.read(idOf(this.name, key))) as Result<Stored<T>>
  }

  /** Stores a new object; returns its id. */
  insert({ id, ...draft }: Draft<T>): string {
    const made = idOf(this.name, id ?? randomKey())
    this.#transaction.put({ ...draft, id: made })
    return made
  }

  /** Replaces an object that has to have the version that is named in it. */
  replace(object: Changed<T> & { readonly version: number }): void {
    this.#transaction.put({ ...object, id: idOf(this.name, object.id) })
  }

  /** Changes parts of an object; it need not be loaded. */
  update(key: string, change: Change<T>): void {
    this.#transaction.update(idOf(this.name, key), operationsOf(change))
  }

  /** Deletes an object, which has to exist. */
  delete(key: string): Promise<void> {
    return this.#transaction.delete(idOf(this.name, key))
  }
}

/** Not by `randomUUID`, which pages have on HTTPS only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
