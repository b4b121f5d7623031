import { murmur3 } from './caching/sketch.js'
import type { Metadata } from './wire.js'

/** How many objects a session remembers having seen. */
const REMEMBERED_OBJECTS = 10_000

/** Of how many queries it remembers the last result. */
const REMEMBERED_RESULTS = 1000

/** How much earlier than its moment a `Date` may be, in milliseconds: it is cut to seconds, and made once a second. */
const DATE_SLACK_MILLIS = 3000

/** The version of what is gone: any other one is from before, or of an object that took its place. */
const GONE = Infinity

type Versioned = Pick<Metadata, 'id' | 'version'>

interface SeenObject {
  readonly version: number
  /** When it was seen. What was asked for since is newer, also if it begins again with version 1. */
  readonly step: number
}

interface SeenResult {
  /** The objects as they were told, as long as nobody had to compare them; then what tells results apart. */
  state: readonly Versioned[] | string
  readonly step: number
  /** When the server sent it, by its clock, in milliseconds; `NaN` if nobody says. */
  readonly date: number
}

/** A state of a query that came with an answer. */
export interface ResultState {
  /** Names the query. */
  readonly key: string
  /** The header `Date` of the answer. */
  readonly date: string | null
}

/**
What a session has seen, so that it never sees anything older afterwards. Objects have versions; of two results of a query it can only be
told whether they are the same, and which was asked for after the other had come, or was sent later for certain.
*/
export class Seen {
  readonly #objects = new Map<string, SeenObject>()
  readonly #results = new Map<string, SeenResult>()
  /** Orders what was seen, and the requests that were sent. */
  #step = 0

  /** Notes that a request is sent; what it brings is newer than all that was seen before. */
  begin(): number {
    return ++this.#step
  }

  /** Whether an object was seen that is not known to be gone. */
  isThere(id: string): boolean {
    return (this.#objects.get(id)?.version ?? GONE) !== GONE
  }

  /**
  Remembers the version of an object: no older one is taken from now on.

  @param began when it was asked for, by {@link begin}; an answer that was overtaken tells nothing new. 0 for what may be older
  */
  object(object: Versioned, began = 0): void {
    if (!this.isBehind(object, began)) {
      remember(this.#objects, object.id, { version: object.version, step: this.begin() }, REMEMBERED_OBJECTS)
    }
  }

  /**
  Remembers that an object is gone: one that takes its place has to have been asked for since.

  @param began when the answer was asked for that says so; an answer that was overtaken tells nothing new
  */
  gone(id: string, began = this.begin()): void {
    if ((this.#objects.get(id)?.step ?? 0) > began) {
      return
    }
    remember(this.#objects, id, { version: GONE, step: this.begin() }, REMEMBERED_OBJECTS)
  }

  /** Whether something newer was seen of an object. */
  isBehind({ id, version }: Versioned, began: number): boolean {
    const seen = this.#objects.get(id)
    return seen !== undefined && version < seen.version && began < seen.step
  }

  /** Remembers a result that is not behind. */
  result({ key, date }: ResultState, objects: readonly Versioned[]): void {
    this.#remember(key, stateOf(objects), Date.parse(date ?? ''))
  }

  /** Whether something newer may have been seen of a query: another result, and nothing tells that this one is from afterwards. */
  isResultBehind({ key, date }: ResultState, objects: readonly Versioned[], began: number): boolean {
    const seen = this.#results.get(key)
    if (seen === undefined || began > seen.step) {
      return false
    }
    const isLater = Date.parse(date ?? '') >= seen.date + DATE_SLACK_MILLIS
    if (typeof seen.state !== 'string') seen.state = stateOf(seen.state)
    return !isLater && seen.state !== stateOf(objects)
  }

  /** Remembers what a live query tells, which is the newest result there is. */
  told(key: string, objects: readonly Versioned[]): void {
    this.#remember(key, objects, NaN)
  }

  /** A live query ends: what it told is kept in short. */
  toldLast(key: string): void {
    const seen = this.#results.get(key)
    if (seen && typeof seen.state !== 'string') seen.state = stateOf(seen.state)
  }

  #remember(key: string, state: SeenResult['state'], date: number): void {
    remember(this.#results, key, { state, step: this.begin(), date }, REMEMBERED_RESULTS)
  }
}

/** The same for the same versions of the same objects, in any order: that of a query without one is nobody's promise. */
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
