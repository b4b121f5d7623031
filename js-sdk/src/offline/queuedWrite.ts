import type { Bucket } from '../objects/bucket.js'
import type { UpdateOperations } from '../objects/update.js'
import { deleting, type Effect, inserting, replacing, updating } from '../optimistic/effects.js'
import type { Identified, Stored } from '../wire.js'

/** A write that waits to be sent, as JSON. */
export interface QueuedWrite {
  /** Identifies it in the queue. */
  readonly key: string
  readonly kind: 'insert' | 'replace' | 'save' | 'update' | 'delete'
  readonly bucket: string
  /** The object that it writes. */
  readonly id: string
  /** The object, or for `update` the operations. */
  readonly body?: object
  /** The version that has to be stored, or an entity tag, or `*` for any. */
  readonly ifMatch?: number | string
  /** User of the write: it waits while another user is logged in. Null for anonymous. */
  readonly user: string | null
  /** True if it was sent, and no answer has reported its outcome. */
  readonly isDoubtful: boolean
}

/** Members of a write that is to be queued. */
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

/** Returns its effect on the object. */
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

/** Operations that are idempotent. */
const STABLE = new Set(['$set', '$min', '$max', '$add', '$put', '$and', '$or', '$currentDate'])

/**
Returns whether a write that may have been done can be sent once more: it then changes nothing, or
is refused.
*/
export function isRepeatable({ kind, body, ifMatch }: QueuedWrite): boolean {
  const isConditional = ifMatch !== undefined && ifMatch !== '*'
  return kind !== 'update' || isConditional || Object.keys(body ?? {}).every((name) => STABLE.has(name))
}

/**
Returns the writes after a completed one: those that were based on the version before it are based
on the stored one, as both have one author.
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
