import { ProtocolError } from '../errors.js'
import type { Observer } from '../query/live.js'
import { isRecord, type MatchType, type Operation } from '../wire.js'
import { applyTo } from './resultList.js'
import type { LiveSpec, Sink, Transport } from './transport.js'

/**
One change of a live query's result. Events of a whole result, the first one or the one after a lost
connection, have the operation `none`, as do objects that others push in or out of a window.
*/
export interface LiveEvent<T> {
  readonly matchType: Exclude<MatchType, 'match'>
  readonly operation: Operation
  /** Current index of the element, in ordered results. */
  readonly index?: number
  /** The element; only its id if it was deleted. */
  readonly data: T
}

/** The type of the elements of a result. */
export interface Elements<T> {
  /** @throws {ProtocolError} if a value is no element */
  readonly narrow: (value: unknown) => T
  readonly keyOf: (element: T) => string
  /** Returns a text that distinguishes states of an element. */
  readonly stateOf: (element: T) => string
}

/** Callbacks for a result and its changes. */
export interface Follower<T> extends Pick<Required<Observer<never>>, 'error' | 'connection'> {
  list(list: readonly T[], events: readonly LiveEvent<T>[]): void
}

/**
Maintains the result of a live query, and calls back with each state and the events that lead there:
those of the server, or, if a result comes again, the difference to the previous one.

@returns its undo
*/
export function follow<T extends object>(
  transport: Transport,
  spec: LiveSpec,
  { narrow, keyOf, stateOf }: Elements<T>,
  follower: Follower<T>,
): () => void {
  const isOrdered = spec.sort !== undefined || spec.limit !== undefined || spec.offset !== undefined
  let list: readonly T[] = []
  const take = (next: readonly T[], events: readonly LiveEvent<T>[]) => {
    list = next
    follower.list(list, events)
  }
  const guarded = (handle: () => void) => {
    try {
      handle()
    } catch (error) {
      undo()
      follower.error(error as Error)
    }
  }
  const sink: Sink = {
    result: (data) =>
      guarded(() => {
        const next = toArray(data).map(narrow)
        take(next, difference(list, next, { keyOf, stateOf }, isOrdered))
      }),
    match: (message) =>
      guarded(() => {
        const event = toLiveEvent(message, narrow)
        take(applyTo(list, event, keyOf), [event])
      }),
    reset: () => guarded(() => take([], difference(list, [], { keyOf, stateOf }, isOrdered))),
    error: (error) => {
      undo()
      follower.error(error)
    },
    connection: (isConnected, silence) => follower.connection(isConnected, silence),
  }
  const undo = transport.open(spec, sink)
  return undo
}

/** Returns the events that lead from one result to another. */
export function difference<T extends object>(
  before: readonly T[],
  after: readonly T[],
  { keyOf, stateOf }: Pick<Elements<T>, 'keyOf' | 'stateOf'>,
  isOrdered: boolean,
): LiveEvent<T>[] {
  const wanted = new Set(after.map(keyOf))
  const gone = before.filter((each) => !wanted.has(keyOf(each)))
  const events = gone.map((data): LiveEvent<T> => ({ matchType: 'remove', operation: 'none', data }))
  const known = new Map(before.map((each) => [keyOf(each), stateOf(each)]))
  const working = before.map(keyOf).filter((key) => wanted.has(key))
  after.forEach((data, index) => {
    const key = keyOf(data)
    const isMoved = isOrdered && known.has(key) && working[index] !== key
    const isChanged = known.has(key) && known.get(key) !== stateOf(data)
    if (isMoved) working.splice(working.indexOf(key), 1)
    if (isMoved || !known.has(key)) working.splice(index, 0, key)
    const matchType = !known.has(key) ? 'add' : isMoved ? 'changeIndex' : isChanged ? 'change' : undefined
    if (matchType) events.push({ matchType, operation: 'none', data, ...(isOrdered && { index }) })
  })
  return events
}

const MATCH_TYPES: readonly unknown[] = ['add', 'change', 'changeIndex', 'remove']
const OPERATIONS: readonly unknown[] = ['insert', 'update', 'delete', 'none']

function toLiveEvent<T>(message: unknown, narrow: (value: unknown) => T): LiveEvent<T> {
  if (
    isRecord(message) &&
    MATCH_TYPES.includes(message['matchType']) &&
    OPERATIONS.includes(message['operation'])
  ) {
    const { matchType, operation, index, data } = message as unknown as LiveEvent<unknown>
    return {
      matchType,
      operation,
      data: narrow(data),
      ...(Number.isInteger(index) && { index: index as number }),
    }
  }
  throw new ProtocolError('Not a match event')
}

function toArray(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) {
    return data
  }
  throw new ProtocolError('Not a query result')
}
