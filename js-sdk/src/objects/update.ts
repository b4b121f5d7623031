/**
Names of the fields of `T`; any text if `T` is unknown. Paths into embedded objects are free text.
*/
export type Path<T> = (keyof T & string) | `${keyof T & string}.${string}`

/** Fields of `T` with values of type `V`, and paths into embedded objects. */
export type PathTo<T, V> =
  | { [K in keyof T & string]-?: IsA<T[K], V> extends true ? K : never }[keyof T & string]
  | `${keyof T & string}.${string}`

/** Unknown fields may have any type. */
type IsA<F, V> = unknown extends F ? true : NonNullable<F> extends V ? true : false

/** Type of the value of a field or path; any for paths into embedded objects. */
export type ValueAt<T, P> = P extends keyof T ? T[P] : unknown

type ElementAt<T, P> = NonNullable<ValueAt<T, P>> extends readonly (infer E)[] ? E : unknown

/** Operations on parts of an object in the form of the server: `{ $inc: { count: 1 } }`. */
export type UpdateOperations = { readonly [operation: `$${string}`]: { readonly [path: string]: unknown } }

/**
Changes of parts of one object, which apply together or not at all. Each path may be named once.

@example
```ts
await todos.update('milk', (change) => change.inc('priority').push('tags', 'shop').set('done', true))
```
@example
```ts
interface Game {
  lives: number; score: number; best: number; worst: number; doors: number; keys: number; lamps: number
  moves: string[]; hand: string[]; deck: string[]; board: string[]; players: string[]; wins: object
  title: string; name: string; ended: string
}
const change = new Update<Game>()
  .dec('lives').mul('score', 2).min('worst', 10).max('best', 90)
  .and('doors', 0b101).or('keys', 0b010).xor('lamps', 0b111)
  .unshift('moves', 'e4').pop('hand').shift('deck').replace('board', 0, 'king')
  .add('players', 'ann').put('wins', { ann: 3 }).remove('wins.ann', 'chess')
  .rename('title', 'name').currentDate('ended')
show(change.toJSON())
```
*/
export class Update<T extends object> {
  readonly #operations: { [operation: `$${string}`]: { [path: string]: unknown } } = {}
  readonly #paths = new Set<string>()

  /** Replaces a value; null unsets it. */
  set<P extends Path<T>>(path: P, value: ValueAt<T, P> | null): this {
    return this.#add('$set', path, value)
  }

  /** Adds to a number; unset counts as 0. */
  inc(path: PathTo<T, number>, by = 1): this {
    return this.#add('$inc', path, by)
  }

  /** Subtracts from a number. */
  dec(path: PathTo<T, number>, by = 1): this {
    return this.#add('$dec', path, by)
  }

  /** Multiplies a number. */
  mul(path: PathTo<T, number>, by: number): this {
    return this.#add('$mul', path, by)
  }

  /** Limits a number to at most this. */
  min(path: PathTo<T, number>, value: number): this {
    return this.#add('$min', path, value)
  }

  /** Limits a number to at least this. */
  max(path: PathTo<T, number>, value: number): this {
    return this.#add('$max', path, value)
  }

  /** Appends an element to a list. */
  push<P extends PathTo<T, readonly unknown[]>>(path: P, element: ElementAt<T, P>): this {
    return this.#add('$push', path, element)
  }

  /** Inserts an element before those of a list. */
  unshift<P extends PathTo<T, readonly unknown[]>>(path: P, element: ElementAt<T, P>): this {
    return this.#add('$unshift', path, element)
  }

  /** Removes the last element of a list. */
  pop(path: PathTo<T, readonly unknown[]>): this {
    return this.#add('$pop', path, null)
  }

  /** Removes the first element of a list. */
  shift(path: PathTo<T, readonly unknown[]>): this {
    return this.#add('$shift', path, null)
  }

  /** Replaces the element of a list at an index from 0; beyond its end the list is filled up with null. */
  replace<P extends PathTo<T, readonly unknown[]>>(path: P, index: number, element: ElementAt<T, P>): this {
    return this.#add('$replace', `${path}.${index}`, element)
  }

  /** Adds an element to a set. */
  add<P extends PathTo<T, readonly unknown[]>>(path: P, element: ElementAt<T, P>): this {
    return this.#add('$add', path, element)
  }

  /**
  Removes all elements of a list or set that are equal to this, or the entry of a map with this key.
  */
  remove(path: Path<T>, elementOrKey: unknown): this {
    return this.#add('$remove', path, elementOrKey)
  }

  /** Adds entries to a map. */
  put(path: Path<T>, entries: { readonly [key: string]: unknown }): this {
    return this.#add('$put', path, entries)
  }

  /** Sets a date or time to the server's current one. */
  currentDate(path: Path<T>): this {
    return this.#add('$currentDate', path, null)
  }

  /** Bitwise "and" of an integer with a mask. */
  and(path: PathTo<T, number>, mask: number): this {
    return this.#add('$and', path, mask)
  }

  /** Bitwise "or". */
  or(path: PathTo<T, number>, mask: number): this {
    return this.#add('$or', path, mask)
  }

  /** Bitwise "exclusive or". */
  xor(path: PathTo<T, number>, mask: number): this {
    return this.#add('$xor', path, mask)
  }

  /** Moves a value to another field of the same type. */
  rename(path: Path<T>, to: Path<T>): this {
    return this.#add('$rename', path, to)
  }

  /** Returns the operations in the form of the server. */
  toJSON(): UpdateOperations {
    return this.#operations
  }

  #add(operation: `$${string}`, path: string, value: unknown): this {
    if (this.#paths.has(path)) {
      throw new TypeError(`An update names ${path} twice`)
    }
    this.#paths.add(path)
    this.#operations[operation] = { ...this.#operations[operation], [path]: value }
    return this
  }
}

/** Description of an update: a function on a builder, or the operations themselves. */
export type Change<T extends object> = ((update: Update<T>) => Update<T>) | UpdateOperations

/** Returns the operations that a change describes. */
export function operationsOf<T extends object>(change: Change<T>): UpdateOperations {
  return typeof change === 'function' ? change(new Update<T>()).toJSON() : change
}
