import { EventEmitter, once } from 'node:events'

/** Time limit of any state, in milliseconds; waiting ends as soon as the condition holds. */
const PATIENCE = 60_000

/** The texts of a query's result, as a client updates them: `null` before the first result. */
export class LiveResult {
  #updates = new EventEmitter()
  #subscription
  texts = null
  error

  constructor(query) {
    this.#subscription = query.resultStream(
      (result) => this.#tell({ texts: result.map(({ text }) => text).join() }),
      (error) => this.#tell({ error }),
    )
  }

  #tell(change) {
    Object.assign(this, change)
    this.#updates.emit('update')
  }

  /** Waits for these texts, in this order. */
  hears(texts) {
    return this.until((now) => now.texts === texts)
  }

  /** Waits for a state; fails when the stream does before. */
  async until(condition) {
    const signal = AbortSignal.timeout(PATIENCE)
    while (!condition(this)) {
      if (this.error) throw this.error
      await once(this.#updates, 'update', { signal })
    }
  }

  stop() {
    this.#subscription.unsubscribe()
  }
}
