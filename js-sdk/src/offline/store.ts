import { ProtocolError } from '../errors.js'
import type { QueuedWrite } from './queuedWrite.js'

/**
Where queued writes are kept.

@example
```ts
const store: QueueStore = memoryQueue()
await store.change((writes) => writes.filter(({ bucket }) => bucket !== 'Draft'))
```
*/
export interface QueueStore {
  /** Changes the list in one step, for all who share it, and returns what it is then. Nothing may be lost when this has ended. */
  change(change: (writes: readonly QueuedWrite[]) => readonly QueuedWrite[]): Promise<readonly QueuedWrite[]>
  /** Lets one of those who share it send at a time; without it nobody shares it. */
  exclusively?<T>(task: () => Promise<T>): Promise<T>
}

/**
Keeps writes as long as the client lives.

@example
```ts
const queue = await openQueue(db, { store: memoryQueue(), onConflict: () => 'drop' })
```
*/
export function memoryQueue(writes: readonly QueuedWrite[] = []): QueueStore {
  let current = writes
  return { change: async (change) => (current = change(current)) }
}

/** What {@link webQueue} uses of a browser. */
export interface WebQueueOptions {
  /** @default globalThis.localStorage */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>
  /** Name under which it is kept; apart for each server and application. @default 'orestes-queue' */
  readonly key?: string
  /** @default globalThis.navigator.locks */
  readonly locks?: Pick<LockManager, 'request'>
}

/**
Keeps writes in the storage of the page's origin, for all its tabs, one of which sends them.

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

/** What cannot be read is left where it is: it may be what somebody has written. */
function toWrites(text: string | null): readonly QueuedWrite[] {
  try {
    const writes: unknown = JSON.parse(text ?? '[]')
    if (Array.isArray(writes)) return writes as QueuedWrite[]
  } catch {
    // told below
  }
  throw new ProtocolError('The stored queue cannot be read')
}
