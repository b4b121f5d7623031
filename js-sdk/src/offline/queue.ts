import { type AbortOptions, orAborted } from '../aborting.js'
import type { AnySchema } from '../client.js'
import { ConnectionError, CredentialsError, ServerError } from '../errors.js'
import { jitter } from '../objects/optimistic.js'
import { type AnyClient, Watches } from '../watching/watches.js'
import type { Stored } from '../wire.js'
import { OfflineBucket } from './bucket.js'
import { type Intent, isRepeatable, type QueuedWrite, rebased, send } from './queuedWrite.js'
import { ShownQueue } from './shown.js'
import type { QueueStore } from './store.js'

/** A client whose writes are queued. */
export interface OfflineClient extends AnyClient {
  readonly online: boolean
  onOnlineChange(listener: (isOnline: boolean) => void): () => void
  request(path: string): Promise<unknown>
  readonly users: {
    readonly me: { readonly id: string } | null
    onChange(listener: () => void): () => void
  }
}

/**
A write that was refused, or needs a decision before it is sent once more.

@example
```ts
const onConflict = ({ write, mayBeDone }: Conflict): Decision => (mayBeDone ? 'drop' : { ...write, ifMatch: '*' })
const queue = await openQueue(db, { store: memoryQueue(), onConflict })
```
*/
export interface Conflict {
  readonly write: QueuedWrite
  /**
  The server's error; a `ConnectionError` if a write that is not idempotent may have been done
  before.
  */
  readonly error: Error
  /** True if an earlier attempt without an answer may have done it. */
  readonly mayBeDone: boolean
}

/** Decision about a write: drop it, send it unchanged once more, or send another in its place. */
export type Decision = 'drop' | 'again' | QueuedWrite

/** Options of a queue. */
export interface QueueOptions {
  readonly store: QueueStore
  /**
  Decides about every write that cannot be done unchanged; the queue waits for it. If it fails it is
  called again later.
  */
  readonly onConflict: (conflict: Conflict) => Decision | Promise<Decision>
  /** Ends the opening, which then fails with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Pause after the first failed attempt, in milliseconds; it doubles with each one. */
const FIRST_PAUSE = 1000

const LONGEST_PAUSE = 60_000

/**
Stores writes and sends them in their order as soon as possible. Created by {@link openQueue}.

@example
```ts
const queue = await openQueue(db, { store: memoryQueue(), onConflict: ({ error }) => (show(error.message), 'drop') })
await queue.bucket<Todo>('Todo').update('milk', { $set: { done: true } })
queue.onChange(() => show(`${queue.writes.length} to be sent, ${queue.problem?.message ?? 'all well'}`))
```
*/
export class OfflineQueue {
  readonly #client: OfflineClient
  readonly #options: QueueOptions
  readonly #shown: ShownQueue
  readonly #listeners = new Set<() => void>()
  readonly #undos: (() => void)[] = []
  #writes: readonly QueuedWrite[] = []
  #problem: Error | undefined
  #sending: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #isClosed = false

  constructor(client: OfflineClient, options: QueueOptions) {
    this.#client = client
    this.#options = options
    this.#shown = new ShownQueue(Watches.of(client).overlay)
  }

  /** Writes that wait to be sent, in order; of other tabs as far as they were seen. */
  get writes(): readonly QueuedWrite[] {
    return this.#writes
  }

  /** Error of the last attempt to send; undefined if it succeeded. */
  get problem(): Error | undefined {
    return this.#problem
  }

  /**
  Begins to send what is stored, and repeats that on every reason to try again.

  @internal
  */
  async open(): Promise<void> {
    await orAborted(
      this.#change((writes) => writes),
      this.#options.signal,
    )
    const again = () => this.#soon(0)
    this.#undos.push(
      this.#client.onOnlineChange((isOnline) => isOnline && again()),
      this.#client.users.onChange(() => {
        this.#tell(this.#writes)
        again()
      }),
    )
    again()
  }

  /** Returns the objects of one class, whose writes are queued. */
  bucket<T extends object = AnySchema[string]>(name: string): OfflineBucket<T> {
    const bucket = this.#client.bucket<T>(name)
    return new OfflineBucket<T>(
      (key) => bucket.id(key),
      (intent, options) => this.#add(name, intent, options),
    )
  }

  /** Calls back when {@link writes} or {@link problem} have changed; returns its undo. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
  Sends now what is queued for the current user.

  @param options an abort ends the wait of this caller; queued writes are sent nevertheless
  @throws {ConnectionError} if no answer arrived
  @throws {ServerError} if the server is overloaded, or the session has ended
  */
  flush({ signal }: AbortOptions = {}): Promise<void> {
    clearTimeout(this.#timer)
    this.#sending ??= this.#drain().finally(() => (this.#sending = undefined))
    return orAborted(this.#sending, signal)
  }

  /** Stops sending; queued writes stay stored. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#undos.forEach((undo) => undo())
    this.#shown.show([])
  }

  async #add(bucket: string, intent: Intent, { signal }: AbortOptions): Promise<QueuedWrite> {
    const key = crypto.randomUUID()
    const write = { key, bucket, ...intent, user: this.#user(), isDoubtful: false }
    // stored as JSON: later changes by the caller are not written
    const kept = structuredClone(write)
    let isKept = false
    const change = this.#change((writes) => {
      signal?.throwIfAborted()
      isKept = true
      return [...writes, kept]
    })
    await orAborted(change, signal, () => isKept)
    this.#soon(0)
    return kept
  }

  #soon(millis: number): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      // the failure is in `problem`
      this.flush().catch(() => {})
    }, millis)
  }

  async #drain(): Promise<void> {
    const { store } = this.#options
    const task = () => this.#sendAll()
    try {
      await (store.exclusively ? store.exclusively(task) : task())
      this.#failures = 0
      this.#report(undefined)
      // what was added since the last check
      if (this.#writes.some((each) => this.#isOurs(each))) this.#soon(0)
    } catch (error) {
      this.#report(error as Error)
      const pause = error instanceof ServerError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      this.#soon(pause + jitter(FIRST_PAUSE, LONGEST_PAUSE, this.#failures++))
      throw error
    }
  }

  async #sendAll(): Promise<void> {
    while (!this.#isClosed) {
      const writes = await this.#change((each) => each)
      const next = writes.find((each) => this.#isOurs(each))
      if (next === undefined) return
      await this.#attempt(next)
    }
  }

  async #attempt(write: QueuedWrite): Promise<void> {
    // an idempotent request goes first: a write whose answer is lost is in doubt
    if (!this.#client.online) await this.#client.request('/version')
    if (write.isDoubtful && !isRepeatable(write)) {
      const error = new ConnectionError('The answer to an earlier attempt got lost', false)
      return this.#ask({ write, error, mayBeDone: true })
    }
    // recorded before it is sent: otherwise it would be lost if this page ended before the answer
    await this.#put({ ...write, isDoubtful: true })
    if (!this.#isOurs(write)) {
      await this.#put(write)
      return
    }
    try {
      const stored = await send(this.#client.bucket<object>(write.bucket), write)
      await this.#done(write, stored)
    } catch (error) {
      await this.#failed(write, error as Error)
    }
  }

  async #done(write: QueuedWrite, stored: Stored<object> | void): Promise<void> {
    this.#shown.done(write, stored)
    await this.#change((writes) => {
      const rest = writes.filter(({ key }) => key !== write.key)
      return stored ? rebased(rest, write, stored.version) : rest
    })
  }

  async #failed(write: QueuedWrite, error: Error): Promise<void> {
    const isOpen = !(error instanceof ServerError) || error.status >= 500
    const isTemporary = isOpen || error.status === 429 || error instanceof CredentialsError
    if (!isOpen) {
      await this.#put(write)
    }
    if (isTemporary) {
      throw error
    }
    return this.#ask({ write, error, mayBeDone: write.isDoubtful })
  }

  async #ask(conflict: Conflict): Promise<void> {
    const { key } = conflict.write
    const decision = await this.#options.onConflict(conflict)
    if (decision === 'drop') {
      await this.#change((writes) => writes.filter((each) => each.key !== key))
    } else {
      await this.#put({ ...(decision === 'again' ? conflict.write : decision), key, isDoubtful: false })
    }
  }

  #put(write: QueuedWrite): Promise<unknown> {
    return this.#change((writes) => writes.map((each) => (each.key === write.key ? write : each)))
  }

  async #change(change: Parameters<QueueStore['change']>[0]): Promise<readonly QueuedWrite[]> {
    const writes = await this.#options.store.change(change)
    this.#tell(writes)
    return writes
  }

  #tell(writes: readonly QueuedWrite[]): void {
    const isNew = JSON.stringify(writes) !== JSON.stringify(this.#writes)
    this.#writes = writes
    if (!this.#isClosed) this.#shown.show(writes.filter((each) => this.#isOurs(each)))
    if (isNew) this.#listeners.forEach((listener) => listener())
  }

  #report(problem: Error | undefined): void {
    const isNew = problem !== this.#problem
    this.#problem = problem
    if (isNew) this.#listeners.forEach((listener) => listener())
  }

  /** A write is sent only while its own user is logged in. */
  #isOurs({ user }: QueuedWrite): boolean {
    return user === this.#user()
  }

  #user(): string | null {
    return this.#client.users.me?.id ?? null
  }
}
