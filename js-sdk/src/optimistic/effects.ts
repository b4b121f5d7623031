import type { UpdateOperations } from '../objects/update.js'
import type { Identified } from '../wire.js'
import { applied } from './applying.js'
import type { Any } from './overlay.js'

/** What a write makes of an object; undefined for none. */
export type Effect = (object: Any | undefined) => Any | undefined

/** A new object has the version 0 until the server has stored it. */
export const inserting =
  (draft: Identified): Effect =>
  (known) =>
    known ?? { acl: null, ...draft, version: 0 }

/** What is left out becomes null, which for those who show it is the same. */
export const replacing =
  (replacement: Identified & { readonly version?: number }): Effect =>
  (object) => ({ version: object?.version ?? 0, acl: null, ...replacement })

export const updating =
  (operations: UpdateOperations): Effect =>
  (object) =>
    object && applied(object, operations)

export const deleting: Effect = () => undefined
