import type { Any, Overlay } from '../optimistic/overlay.js'
import { effectOf, type QueuedWrite } from './queuedWrite.js'

interface Outcome {
  readonly done: (stored: Any | void) => void
  readonly gone: (reason: Error) => void
}

/** Shows queued writes in the results of the client until they are done or dropped. */
export class ShownQueue {
  readonly #overlay: Overlay
  readonly #outcomes = new Map<string, Outcome>()

  constructor(overlay: Overlay) {
    this.#overlay = overlay
  }

  /** Shows exactly these writes. */
  show(writes: readonly QueuedWrite[]): void {
    const keys = new Set(writes.map(nameOf))
    for (const [key, { gone }] of this.#outcomes) {
      if (!keys.has(key)) {
        this.#outcomes.delete(key)
        gone(new Error('No longer queued'))
      }
    }
    writes.filter((each) => !this.#outcomes.has(nameOf(each))).forEach((each) => this.#add(each))
  }

  /** Shows the result of a write until queries contain it, also when it is queued no longer. */
  done(write: QueuedWrite, stored: Any | void): void {
    this.#outcomes.get(nameOf(write))?.done(stored)
  }

  #add(write: QueuedWrite): void {
    const outcome = new Promise<Any | void>((done, gone) => this.#outcomes.set(nameOf(write), { done, gone }))
    // a dropped write disappears; the queue notifies the application
    this.#overlay.show(write.id, effectOf(write), outcome).catch(() => {})
  }
}

/** A changed write is shown anew. */
function nameOf({ key, kind, body }: QueuedWrite): string {
  return JSON.stringify([key, kind, body])
}
