import type { ServerError } from '../errors.js'
import { ProtocolError } from '../errors.js'
import { idOf } from '../ids.js'
import { isRecord, toServerError } from '../wire.js'
import type { Draft, Changed } from './bucket.js'
import { type Change, operationsOf } from './update.js'

/**
One write of many; each is independent.

@example
```ts
await todos.bulk([{ insert: { text: 'tea' } }, { update: { $set: { done: true } }, id: 'milk' }, { delete: 'jam' }])
```
*/
export type BulkOperation<T extends object> =
  | { readonly insert: Draft<T> }
  | { readonly replace: Changed<T>; readonly ifMatch?: number | string }
  | { readonly update: Change<T>; readonly id: string; readonly ifMatch?: number | string }
  | { readonly delete: string; readonly ifMatch?: number | string }

/** The result of one write: its object's new version, or the error. */
export interface BulkResult {
  readonly id?: string
  /** Absent after a deletion. */
  readonly version?: number
  readonly error?: ServerError
}

/** Returns the operation in the form of the server. */
export function toBulkMessage<T extends object>(bucket: string, operation: BulkOperation<T>): object {
  if ('insert' in operation) {
    const { id } = operation.insert
    return { insert: { ...operation.insert, ...(id !== undefined && { id: idOf(bucket, id) }) } }
  }
  if ('update' in operation) {
    return { ...operation, update: operationsOf(operation.update), id: idOf(bucket, operation.id) }
  }
  if ('delete' in operation) {
    return { ...operation, delete: idOf(bucket, operation.delete) }
  }
  const { replace } = operation
  return { ...operation, replace: { ...replace, id: idOf(bucket, replace.id) } }
}

/** @throws {ProtocolError} if it is no list of results */
export function toBulkResults(body: unknown): BulkResult[] {
  if (isRecord(body) && Array.isArray(body['results']) && body['results'].every(isRecord)) {
    return body['results'].map(toBulkResult)
  }
  throw new ProtocolError('Not the results of a bulk request')
}

function toBulkResult({ status, id, version, error }: Record<string, unknown>): BulkResult {
  return {
    ...(typeof id === 'string' && { id }),
    ...(typeof version === 'number' && { version }),
    ...(error !== undefined && { error: toServerError(Number(status), error) }),
  }
}
