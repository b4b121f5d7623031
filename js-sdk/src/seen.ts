import { murmur3 } from './caching/sketch.js'
import type { Metadata } from './wire.js'

/** Number of objects whose last seen state a session remembers. */
const REMEMBERED_OBJECTS = 10_000

/** Number of queries whose last result a session remembers. */
const REMEMBERED_RESULTS = 1000

/**
Maximum by which a `Date` precedes its moment, in milliseconds: it is cut to seconds, and created
once a second.
*/
const DATE_SLACK_MILLIS = 3000

/** Version of a deleted object: any other one is older, or of an object that replaced it. */
const GONE = Infinity

type Versioned = Pick<Metadata, 'id' | 'version'>

interface SeenObject {
  readonly version: number
  /**
  When it was seen. The answer to a later request is newer, also if it begins again with version 1.
  */
  readonly step: number
}

interface SeenResult {
  /**
  The objects in the order of the result until a comparison is needed; then their state as text.
  */
  state: readonly Versioned[] | string
  readonly step: number
  /** When the server sent it, by its clock, in milliseconds; `NaN` if unknown. */
  readonly date: number
}

/** A state of a query that came with an answer. */
export interface ResultState {
  /** Key of the query. */
  readonly key: string
  /** The header `Date` of the answer. */
  readonly date: string | null
}

/**
What a session has seen, so that it never sees anything older afterwards. Objects have versions. Two
results of a query can only be compared for equality, and by order if one was requested after the
other had arrived, or was certainly sent later.
*/
export class Seen {
  readonly #objects = new Map<string, SeenObject>()
  readonly #results = new Map<string, SeenResult>()
  /** Orders what was seen, and the requests that were sent. */
  #step = 0

  /** Records that a request is sent; its answer is newer than all that was seen before. */
  begin(): number {
    return ++this.#step
  }

  /** Returns whether an object was seen that is not known to be deleted. */
  isThere(id: string): boolean {
    return (this.#objects.get(id)?.version ?? GONE) !== GONE
  }

  /**
  Remembers the version of an object: no older one is accepted from now on.

  @param began when it was requested, by {@link begin}; an overtaken answer has no effect. 0 for
      what may be older
  */
  object(object: Versioned, began = 0): void {
    if (!this.isBehind(object, began)) {
      remember(this.#objects, object.id, { version: object.version, step: this.begin() }, REMEMBERED_OBJECTS)
    }
  }

  /**
  Remembers that an object is deleted: one that replaces it has to have been requested since.

  @param began when the answer that says so was requested; an overtaken answer has no effect
  */
  gone(id: string, began = this.begin()): void {
    if ((this.#objects.get(id)?.step ?? 0) > began) {
      return
    }
    remember(this.#objects, id, { version: GONE, step: this.begin() }, REMEMBERED_OBJECTS)
  }

  /** Returns whether a newer state of an object was seen. */
  isBehind({ id, version }: Versioned, began: number): boolean {
    const seen = this.#objects.get(id)
    return seen !== undefined && version < seen.version && began < seen.step
  }

  /** Remembers a result that is not behind. */
  result({ key, date }: ResultState, objects: readonly Versioned[]): void {
    this.#remember(key, stateOf(objects), Date.parse(date ?? ''))
  }

  /**
  Returns whether something newer may have been seen of a query: another result, with no proof that
  this one is later.
  */
  isResultBehind({ key, date }: ResultState, objects: readonly Versioned[], began: number): boolean {
    const seen = this.#results.get(key)
    if (seen === undefined || began > seen.step) {
      return false
    }
    const isLater = Date.parse(date ?? '') >= seen.date + DATE_SLACK_MILLIS
    if (typeof seen.state !== 'string') seen.state = stateOf(seen.state)
    return !isLater && seen.state !== stateOf(objects)
  }

  /** Remembers a state of a live query, which is the newest result there is. */
  told(key: string, objects: readonly Versioned[]): void {
    this.#remember(key, objects, NaN)
  }

  /** Called when a live query ends: its last state is stored in short form. */
  toldLast(key: string): void {
    const seen = this.#results.get(key)
    if (seen && typeof seen.state !== 'string') seen.state = stateOf(seen.state)
  }

  #remember(key: string, state: SeenResult['state'], date: number): void {
    remember(this.#results, key, { state, step: this.begin(), date }, REMEMBERED_RESULTS)
  }
}

/**
Returns equal texts for equal versions of equal objects, in any order: a query without an order
guarantees none.
*/
function stateOf(objects: readonly Versioned[]): string {
  const text = objects
    .map(({ id, version }) => `${id} ${version}`)
    .sort()
    .join('\n')
  const hash = murmur3(text, 0)
  return `${objects.length} ${hash} ${murmur3(text, ~hash)}`
}

function remember<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value as string)
}
