import type { Metadata } from '../wire.js'
import { bucketOf } from '../ids.js'
import type { QuerySpec } from '../query/conditions.js'
import { inOrder, matches } from './matching.js'

/** A stored object of any class, or one that is about to be stored. */
export type Any = Metadata & object

/** A write that is shown. */
export interface ShownWrite {
  readonly id: string
  /** Its effect on the object; undefined for none. */
  readonly apply: (object: Any | undefined) => Any | undefined
  /** The stored state; null for a deletion, undefined until the server has answered. */
  readonly outcome: Any | null | undefined
}

/**
Time for which a completed write is shown to queries that do not contain it yet, in milliseconds.
*/
const SHOWN_MILLIS = 10_000

/**
The writes of one client that are shown before they are done. A refused write disappears; a
completed one is shown until the query contains it, so that the old state does not flash up in
between.
*/
export class Overlay {
  readonly #listeners = new Set<() => void>()
  #writes: readonly ShownWrite[] = []

  get writes(): readonly ShownWrite[] {
    return this.#writes
  }

  /** Calls back after each change; returns its undo. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
  Shows a write while it is done.

  @param apply its effect on the object
  @returns the result of the write, or its failure
  */
  async show<R extends Any | void>(id: string, apply: ShownWrite['apply'], done: Promise<R>): Promise<R> {
    const write = { id, apply, outcome: undefined as ShownWrite['outcome'] }
    this.#change([...this.#writes, write])
    const drop = () => this.#change(this.#writes.filter((each) => each !== write))
    try {
      const outcome = await done
      write.outcome = outcome ?? null
      this.#change([...this.#writes])
      setTimeout(drop, SHOWN_MILLIS)
      return outcome
    } catch (error) {
      drop()
      throw error
    }
  }

  #change(writes: readonly ShownWrite[]): void {
    this.#writes = writes
    this.#listeners.forEach((listener) => listener())
  }
}

/** Returns the result of a query as it will be when these writes are done, as far as known. */
export function overlaid<T extends Any>(
  base: readonly T[],
  writes: readonly ShownWrite[],
  bucket: string,
  spec: QuerySpec<object>,
): readonly T[] {
  const ids = new Set(writes.map(({ id }) => id).filter((id) => bucketOf(id) === bucket))
  let list: readonly T[] = base
  for (const id of ids) {
    const before = base.find((each) => each.id === id)
    const after = folded(
      before,
      writes.filter((each) => each.id === id),
    )
    if (after !== before) {
      list = placed(list, id, after as T | undefined, spec)
    }
  }
  return list
}

/**
Applies writes to an object: the newest state of an answer, and on it, in their order, the
unanswered ones.
*/
export function folded(before: Any | undefined, writes: readonly ShownWrite[]): Any | undefined {
  const known = writes.reduce<Any | undefined>((object, { outcome }) => {
    if (outcome === undefined) return object
    return outcome === null || (object?.version ?? 0) < outcome.version ? (outcome ?? undefined) : object
  }, before)
  return writes.reduce(
    (object, { apply, outcome }) => (outcome === undefined ? apply(object) : object),
    known,
  )
}

function placed<T extends Any>(
  list: readonly T[],
  id: string,
  object: T | undefined,
  { filter, sort, offset = 0, limit = Infinity }: QuerySpec<object>,
): readonly T[] {
  const isThere = list.some((each) => each.id === id)
  const isMatch = object !== undefined && (matches(filter, object) ?? isThere)
  if (object === undefined || !isMatch) {
    return isThere ? list.filter((each) => each.id !== id) : list
  }
  // an object that enters a window with an offset may as well sort before it
  if (!isThere && offset > 0) {
    return list
  }
  const next = isThere ? list.map((each) => (each.id === id ? object : each)) : [...list, object]
  return (sort ? next.sort(inOrder(sort)) : next).slice(0, Math.max(limit, list.length))
}
