/** Number of keys whose writes are remembered one by one. */
const REMEMBERED = 10_000

/** A write of this page. */
export interface OwnWrite {
  /** Orders it among revalidations. */
  readonly step: number
  /**
  Latest time when it may have happened, in milliseconds; in the future for one without an answer.
  */
  readonly at: number
}

/**
Writes of this page that a filter may not contain yet. When there are too many, the oldest ones are
remembered together: then all keys count as written at that time, until a filter comes.
*/
export class OwnWrites {
  readonly #writes = new Map<string, OwnWrite>()
  #others: OwnWrite | undefined

  note(key: string, write: OwnWrite): void {
    const known = this.of(key)
    this.#writes.delete(key)
    this.#writes.set(key, latest(known, write))
    if (this.#writes.size > REMEMBERED) {
      const [oldest, forgotten] = this.#writes.entries().next().value as [string, OwnWrite]
      this.#writes.delete(oldest)
      this.#others = latest(this.#others, forgotten)
    }
  }

  /** Returns the last write that may concern a key. */
  of(key: string): OwnWrite | undefined {
    return this.#writes.get(key) ?? this.#others
  }

  /** Drops the writes that had ended at that time. */
  forgetBefore(time: number): void {
    for (const [key, { at }] of this.#writes) {
      if (at < time) this.#writes.delete(key)
    }
    if (this.#others && this.#others.at < time) this.#others = undefined
  }
}

/** The answer to a write proves nothing about an earlier one that may still be under way. */
function latest(known: OwnWrite | undefined, { step, at }: OwnWrite): OwnWrite {
  return { step, at: Math.max(at, known?.at ?? at) }
}
