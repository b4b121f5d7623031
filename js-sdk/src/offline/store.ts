import { ProtocolError } from '../errors.js'
import type { QueuedWrite } from './queuedWrite.js'

/**
Store of queued writes.

@example
```ts
const store: QueueStore = memoryQueue()
await store.change((writes) => writes.filter(({ bucket }) => bucket !== 'Draft'))
```
*/
export interface QueueStore {
  /**
  Changes the list in one step, for all who share it, and returns the result. The change has to be
  durable when this has ended.
  */
  change(change: (writes: readonly QueuedWrite[]) => readonly QueuedWrite[]): Promise<readonly QueuedWrite[]>
  /** Lets one of several sharers send at a time; without it the store is not shared. */
  exclusively?<T>(task: () => Promise<T>): Promise<T>
}

/**
Stores writes as long as the client lives.

@example
```ts
const queue = await openQueue(db, { store: memoryQueue(), onConflict: () => 'drop' })
```
*/
export function memoryQueue(writes: readonly QueuedWrite[] = []): QueueStore {
  let current = writes
  return { change: async (change) => (current = change(current)) }
}

/** Browser objects of {@link webQueue}. */
export interface WebQueueOptions {
  /** @default globalThis.localStorage */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>
  /** Name of its entry; different for each server and application. @default 'orestes-queue' */
  readonly key?: string
  /** @default globalThis.navigator.locks */
  readonly locks?: Pick<LockManager, 'request'>
}

/**
Stores writes in the storage of the page's origin, for all its tabs, one of which sends them.

@example
```ts
const queue = await openQueue(db, { store: webQueue({ key: 'todo-app' }), onConflict: () => 'drop' })
```
*/
export function webQueue(options: WebQueueOptions = {}): QueueStore {
  const { key = 'orestes-queue', storage = globalThis.localStorage } = options
  const locks = options.locks ?? globalThis.navigator?.locks
  return {
    change: async (change) => {
      const changed = change(toWrites(storage.getItem(key)))
      storage.setItem(key, JSON.stringify(changed))
      return changed
    },
    ...(locks && { exclusively: async (task) => (await locks.request(key, task)) as never }),
  }
}

/** Unreadable content is left unchanged: it may be a user's data. */
function toWrites(text: string | null): readonly QueuedWrite[] {
  try {
    const writes: unknown = JSON.parse(text ?? '[]')
    if (Array.isArray(writes)) return writes as QueuedWrite[]
  } catch {
    // reported below
  }
  throw new ProtocolError('The stored queue cannot be read')
}
