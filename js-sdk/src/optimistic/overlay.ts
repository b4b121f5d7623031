import type { Metadata } from '../wire.js'
import { bucketOf } from '../ids.js'
import type { QuerySpec } from '../query/conditions.js'
import { inOrder, matches } from './matching.js'

/** A stored object of any class, or one that is about to be stored. */
export type Any = Metadata & object

/** A write that is shown. */
export interface ShownWrite {
  readonly id: string
  /** What it makes of the object; undefined for none. */
  readonly apply: (object: Any | undefined) => Any | undefined
  /** What the server made of it; null for a deletion, undefined as long as it has not answered. */
  readonly outcome: Any | null | undefined
}

/** For how long a write that was done is shown to queries that have not told it yet, in milliseconds. */
const SHOWN_MILLIS = 10_000

/**
The writes of one client that are shown before they are done. One that is refused disappears; one that is done is shown until
the query tells it itself, so that the old state does not flash up in between.
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

  @param apply what it makes of the object
  @returns what the write returns, or its failure
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

/** The result of a query as it will be when these writes are done, as far as that can be known. */
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

/** What writes make of an object: the newest state that an answer has told, and on it, in their order, those without one. */
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
  // what enters a window that does not begin at the first object may as well be in front of it
  if (!isThere && offset > 0) {
    return list
  }
  const next = isThere ? list.map((each) => (each.id === id ? object : each)) : [...list, object]
  return (sort ? next.sort(inOrder(sort)) : next).slice(0, Math.max(limit, list.length))
}
