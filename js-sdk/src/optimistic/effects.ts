import type { UpdateOperations } from '../objects/update.js'
import type { Identified } from '../wire.js'
import { applied } from './applying.js'
import type { Any } from './overlay.js'

/** The effect of a write on an object; undefined for none. */
export type Effect = (object: Any | undefined) => Any | undefined

/** A new object has the version 0 until the server has stored it. */
export const inserting =
  (draft: Identified): Effect =>
  (known) =>
    known ?? { acl: null, ...draft, version: 0 }

/** Omitted fields become null, which is equivalent for display. */
export const replacing =
  (replacement: Identified & { readonly version?: number }): Effect =>
  (object) => ({ version: object?.version ?? 0, acl: null, ...replacement })

export const updating =
  (operations: UpdateOperations): Effect =>
  (object) =>
    object && applied(object, operations)

export const deleting: Effect = () => undefined
