import type { Bucket } from '../objects/bucket.js'
import type { UpdateOperations } from '../objects/update.js'
import { deleting, type Effect, inserting, replacing, updating } from '../optimistic/effects.js'
import type { Identified, Stored } from '../wire.js'

/** A write that waits to be sent, as JSON. */
export interface QueuedWrite {
  /** Tells it from others of the queue. */
  readonly key: string
  readonly kind: 'insert' | 'replace' | 'save' | 'update' | 'delete'
  readonly bucket: string
  /** The object that it writes. */
  readonly id: string
  /** The object, or for `update` the operations. */
  readonly body?: object
  /** The version that has to be stored, or an entity tag, or `*` for any. */
  readonly ifMatch?: number | string
  /** Whose write it is: it waits while somebody else is logged in. Null for nobody. */
  readonly user: string | null
  /** Whether it was sent, and no answer has said what became of it. */
  readonly isDoubtful: boolean
}

/** What a write has to say when it is queued. */
export type Intent = Pick<QueuedWrite, 'kind' | 'id' | 'body' | 'ifMatch'>

/** Sends a write; nothing is returned for a deletion. */
export function send(bucket: Bucket<object>, write: QueuedWrite): Promise<Stored<object> | void> {
  const { id, body = {}, ifMatch } = write
  const condition = ifMatch === undefined ? {} : { ifMatch }
  switch (write.kind) {
    case 'insert':
      return bucket.insert(body)
    case 'replace':
      return bucket.replace(body as Identified, condition)
    case 'save':
      return bucket.save(body as Identified)
    case 'update':
      return bucket.update(id, body as UpdateOperations, condition)
    case 'delete':
      return bucket.delete(id, condition)
  }
}

/** What it makes of the object. */
export function effectOf({ kind, body }: QueuedWrite): Effect {
  switch (kind) {
    case 'insert':
      return inserting(body as Identified)
    case 'replace':
    case 'save':
      return replacing(body as Identified)
    case 'update':
      return updating(body as UpdateOperations)
    case 'delete':
      return deleting
  }
}

/** Operations that leave the same however often they are done. */
const STABLE = new Set(['$set', '$min', '$max', '$add', '$put', '$and', '$or', '$currentDate'])

/** Whether a write that may have been done can be sent once more: it then changes nothing, or is refused. */
export function isRepeatable({ kind, body, ifMatch }: QueuedWrite): boolean {
  const isConditional = ifMatch !== undefined && ifMatch !== '*'
  return kind !== 'update' || isConditional || Object.keys(body ?? {}).every((name) => STABLE.has(name))
}

/**
The writes that follow one which was done: what was made from the version before goes on from the one that is stored now, as both are of
the same hand.
*/
export function rebased(
  rest: readonly QueuedWrite[],
  { id, user }: QueuedWrite,
  version: number,
): QueuedWrite[] {
  return rest.map((each) =>
    each.id === id && each.user === user && each.ifMatch === version - 1
      ? { ...each, ifMatch: version }
      : each,
  )
}
