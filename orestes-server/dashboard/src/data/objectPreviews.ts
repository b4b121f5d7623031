import type { Row } from './rows'

/** What is known of the object that a reference leads to. */
export type Preview =
  | { readonly kind: 'loading' }
  | { readonly kind: 'found'; readonly object: Row }
  | { readonly kind: 'failed'; readonly error: Error }

/** What keeps a preview open. */
export type Holder = 'pointer' | 'focus'

/** A reference that somebody points at, or is at with the keyboard. */
interface Target<A> {
  readonly id: string
  readonly anchor: A
  readonly holders: Set<Holder>
}

/** The preview that is shown, and beside what. */
export interface ShownPreview<A> {
  readonly id: string
  readonly anchor: A
  readonly preview: Preview
  readonly isOfFocus: boolean
}

/** How long somebody has to stay at a reference, so that crossing a table asks for nothing. */
const APPEAR_MILLIS = 300

/** How long the pointer may take from the reference to its preview. */
const LEAVE_MILLIS = 250

/** How long an answer is shown again without another request. */
const KEPT_MILLIS = 10_000
const MOST_KEPT = 100

/**
Which reference is previewed: one at a time, opened after a while and closed a while after the pointer and the focus have left it. What
is not shown any more is not waited for.

@typeParam A what a preview is shown beside
*/
export class ObjectPreviews<A> {
  readonly #load: (id: string, signal: AbortSignal) => Promise<Row>
  readonly #kept = new Map<string, { readonly object: Row; readonly at: number }>()
  readonly #listeners = new Set<() => void>()
  #pending: Target<A> | undefined
  #opening: ReturnType<typeof setTimeout> | undefined
  #target: Target<A> | undefined
  #closing: ReturnType<typeof setTimeout> | undefined
  #loading = new AbortController()
  #shown: ShownPreview<A> | undefined

  constructor(load: (id: string, signal: AbortSignal) => Promise<Row>) {
    this.#load = load
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Undefined if none is; another object after each change. */
  readonly shown = (): ShownPreview<A> | undefined => this.#shown

  /** Somebody is at a reference, or at its preview. */
  enter(id: string, anchor: A, holder: Holder): void {
    if (this.#target?.anchor === anchor) {
      this.#target.holders.add(holder)
      clearTimeout(this.#closing)
      this.#forgetPending()
    } else if (this.#pending?.anchor === anchor) {
      this.#pending.holders.add(holder)
    } else {
      this.#forgetPending()
      const target = { id, anchor, holders: new Set([holder]) }
      this.#pending = target
      this.#opening = setTimeout(() => this.#open(target), APPEAR_MILLIS)
    }
  }

  leave(anchor: A, holder: Holder): void {
    if (this.#pending?.anchor === anchor) {
      this.#pending.holders.delete(holder)
      if (this.#pending.holders.size === 0) this.#forgetPending()
    }
    if (this.#target?.anchor === anchor) {
      this.#target.holders.delete(holder)
      clearTimeout(this.#closing)
      if (this.#target.holders.size === 0) this.#closing = setTimeout(() => this.close(), LEAVE_MILLIS)
    }
  }

  /** The reference is not there any more, or is another one. */
  drop(anchor: A): void {
    if (this.#pending?.anchor === anchor) this.#forgetPending()
    if (this.#target?.anchor === anchor) this.close()
  }

  /** Closes what is open and does not open what was about to be. */
  close(): void {
    this.#forgetPending()
    clearTimeout(this.#closing)
    this.#loading.abort()
    this.#target = undefined
    if (this.#shown === undefined) return
    this.#shown = undefined
    this.#tell()
  }

  /** Something was written: what was loaded before is not shown again. */
  forget(): void {
    this.#kept.clear()
  }

  #forgetPending(): void {
    clearTimeout(this.#opening)
    this.#pending = undefined
  }

  #open(target: Target<A>): void {
    this.close()
    this.#target = target
    const kept = this.#kept.get(target.id)
    if (kept !== undefined && Date.now() - kept.at < KEPT_MILLIS) {
      this.#show(target, { kind: 'found', object: kept.object })
    } else {
      this.#show(target, { kind: 'loading' })
      void this.#fill(target)
    }
  }

  async #fill(target: Target<A>): Promise<void> {
    const { signal } = (this.#loading = new AbortController())
    try {
      const object = await this.#load(target.id, signal)
      if (signal.aborted) return
      this.#keep(target.id, object)
      this.#show(target, { kind: 'found', object })
    } catch (error) {
      if (!signal.aborted) this.#show(target, { kind: 'failed', error: error as Error })
    }
  }

  #keep(id: string, object: Row): void {
    this.#kept.delete(id)
    this.#kept.set(id, { object, at: Date.now() })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }

  #show({ id, anchor, holders }: Target<A>, preview: Preview): void {
    this.#shown = { id, anchor, preview, isOfFocus: holders.has('focus') }
    this.#tell()
  }

  #tell(): void {
    this.#listeners.forEach((listener) => listener())
  }
}
