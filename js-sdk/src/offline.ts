/** Entry point `@orestes/sdk/offline`: writes that wait until the server is reachable. */
import { type OfflineClient, OfflineQueue, type QueueOptions } from './offline/queue.js'

export type { OfflineBucket, QueuedOptions } from './offline/bucket.js'
export type { Conflict, Decision, OfflineClient, OfflineQueue, QueueOptions } from './offline/queue.js'
export type { QueuedWrite } from './offline/queuedWrite.js'
export { memoryQueue, webQueue, type QueueStore, type WebQueueOptions } from './offline/store.js'
export type { AnyClient } from './watching/watches.js'

/**
Opens a queue of writes: each is stored, shown at once to hooks, stores and `optimistic(…).live`,
and sent in its order when the server is reachable, also after a reload of the page. `onConflict`
receives a write that the server refuses, and decides its fate.

@throws {ProtocolError} if the stored queue cannot be read

@example
```ts
const queue = await openQueue(db, {
  store: memoryQueue(),
  onConflict: ({ write, error, mayBeDone }) => {
    show(`${write.id}: ${error.message}${mayBeDone ? ', may have been done' : ''}`)
    return 'drop'
  },
})
await queue.bucket<Todo>('Todo').insert({ id: 'milk', text: 'buy milk' })
```
*/
export async function openQueue(client: OfflineClient, options: QueueOptions): Promise<OfflineQueue> {
  const queue = new OfflineQueue(client, options)
  try {
    await queue.open()
  } catch (error) {
    queue.close()
    throw error
  }
  return queue
}
