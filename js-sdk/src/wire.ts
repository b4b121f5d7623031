import {
  CredentialsError,
  ExistsError,
  NotFoundError,
  OutOfDateError,
  PermissionError,
  ProtocolError,
  ServerError,
} from './errors.js'

/** A Bloom filter as the server sends it: bits, hash functions, and the bits in Base64. */
export interface FilterMessage {
  readonly m: number
  readonly h: number
  readonly b: string
}

/** Members of every object on the wire. */
export interface Identified {
  readonly id: string
}

/** The change of an object's membership in the result of a live query. */
export type MatchType = 'add' | 'change' | 'changeIndex' | 'match' | 'remove'

/** The write of the object; `none` if another object moved it in or out. */
export type Operation = 'insert' | 'update' | 'delete' | 'none'

/** One change of a live query's result. */
export interface MatchMessage<T extends Identified> {
  readonly matchType: MatchType
  readonly operation: Operation
  /** Position in an ordered result. */
  readonly index?: number
  /** The object; only its id if it was deleted. */
  readonly data: T
}

const MATCH_TYPES: readonly unknown[] = ['add', 'change', 'changeIndex', 'match', 'remove']
const OPERATIONS: readonly unknown[] = ['insert', 'update', 'delete', 'none']

/** @throws {ProtocolError} if it is no Bloom filter */
export function toFilterMessage(value: unknown): FilterMessage {
  if (isRecord(value) && isPositive(value['m']) && isPositive(value['h']) && typeof value['b'] === 'string') {
    return { m: value['m'], h: value['h'], b: value['b'] }
  }
  throw new ProtocolError('Not a Bloom filter')
}

/**
Ids of users and roles, such as `/db/User/17`, that may do something. Without `allow` everybody may.
*/
export interface Permission {
  readonly [userOrRole: string]: 'allow' | 'deny'
}

/**
Permissions to read and write an object; null for everybody.

@example
```ts
const forTwo: Permission = { '/db/User/ann': 'allow', '/db/User/bob': 'allow' }
const acl: Acl = { read: forTwo, write: { '/db/User/ann': 'allow' } }
await todos.insert({ text: 'buy a present', acl })
```
*/
export interface Acl {
  readonly read?: Permission
  readonly write?: Permission
}

/** Members that the server adds to every object. */
export interface Metadata extends Identified {
  /** 1 after the insertion; each write adds 1. */
  readonly version: number
  acl: Acl | null
  /** ISO 8601. */
  readonly createdAt?: string
  readonly updatedAt?: string
}

/** A stored object: your fields and {@link Metadata}. */
export type Stored<T> = T & Metadata

/** @throws {ProtocolError} if it is no stored object */
export function toStored<T>(value: unknown): Stored<T> {
  if (isIdentified(value) && typeof (value as Partial<Metadata>).version === 'number') {
    return value as Stored<T>
  }
  throw new ProtocolError('Not an object')
}

/** @throws {ProtocolError} if it is no array of objects with ids */
export function toResult<T extends Identified>(value: unknown): T[] {
  if (Array.isArray(value) && value.every(isIdentified)) {
    return value as T[]
  }
  throw new ProtocolError('Not a query result')
}

/** @throws {ProtocolError} if it is no match event */
export function toMatchMessage<T extends Identified>(value: unknown): MatchMessage<T> {
  if (
    isRecord(value) &&
    MATCH_TYPES.includes(value['matchType']) &&
    OPERATIONS.includes(value['operation']) &&
    (value['index'] === undefined || Number.isInteger(value['index'])) &&
    isIdentified(value['data'])
  ) {
    return value as unknown as MatchMessage<T>
  }
  throw new ProtocolError('Not a match event')
}

/** Returns the error of an error body or an error event; absent members have defaults. */
export function toServerError(status: number, value: unknown, retryAfterSeconds?: number): ServerError {
  const body = isRecord(value) ? value : {}
  const reason = typeof body['reason'] === 'string' ? body['reason'] : 'Unknown'
  const Kind = (Object.hasOwn(KINDS, reason) && KINDS[reason]) || ServerError
  return new Kind(
    typeof body['status'] === 'number' ? body['status'] : status,
    reason,
    typeof body['message'] === 'string' ? body['message'] : `The server answered with status ${status}`,
    body['data'],
    retryAfterSeconds,
  )
}

const KINDS: { readonly [reason: string]: typeof ServerError } = {
  'Object Not Found': NotFoundError,
  'Object Out Of Date': OutOfDateError,
  'Object Exists': ExistsError,
  'Unique Index Exception': ExistsError,
  'Permission Denied': PermissionError,
  'Bad Credentials': CredentialsError,
}

/** @throws {ProtocolError} if the text is no JSON */
export function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch (cause) {
    throw new ProtocolError('Not JSON', { cause })
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isIdentified(value: unknown): value is Identified {
  return isRecord(value) && typeof value['id'] === 'string'
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
