/**
Root of all errors that this SDK throws on purpose. `code` identifies the error; an abort throws the
signal's reason instead.

@example
```ts
if (error instanceof OrestesError) console.log(error.code)
```
*/
export class OrestesError extends Error {
  override name = 'OrestesError'
  /** One of {@link ErrorCode}, or a code of the subclass. */
  readonly code: string = 'UNKNOWN'
}

/**
Codes of the errors that a server answers with; `schema/errors.json` describes them.

@example
```ts
if (error instanceof ServerError && error.code === 'PERMISSION_DENIED') showLogin()
```
*/
export type ErrorCode = (typeof ERROR_CODES)[number]

/**
All of {@link ErrorCode}.

@example
```ts
const texts = new Map<ErrorCode, string>(ERROR_CODES.map((code) => [code, code.toLowerCase().replaceAll('_', ' ')]))
texts.get('OBJECT_NOT_FOUND') // 'object not found'
```
*/
export const ERROR_CODES = [
  'BAD_REQUEST',
  'OBJECT_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'REQUEST_TIMEOUT',
  'OBJECT_EXISTS',
  'UNIQUE_INDEX_EXCEPTION',
  'OBJECT_OUT_OF_DATE',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'TOO_MANY_REQUESTS',
  'BAD_CREDENTIALS',
  'BUCKET_NOT_FOUND',
  'INVALID_PERMISSION_MODIFICATION',
  'INVALID_TYPE_VALUE',
  'PERMISSION_DENIED',
  'QUERY_DISPOSED',
  'QUERY_NOT_SUPPORTED',
  'SCHEMA_NOT_COMPATIBLE',
  'SYNTAX_ERROR',
  'TRANSACTION_INACTIVE',
  'TYPE_ALREADY_EXISTS',
  'TYPE_STILL_REFERENCED',
  'INTERNAL_SERVER_ERROR',
  'NOT_IMPLEMENTED',
  'UNAVAILABLE',
] as const

/**
An error answer of the server. Branch on `code`, not on `message`.

@example
```ts
await todos.insert({ text: 'milk' }).catch((error) => {
  if (error instanceof ServerError) console.log(error.status, error.code, error.data)
})
```
*/
export class ServerError extends OrestesError {
  override name = 'ServerError'
  /**
  `UNKNOWN` for a reason that this version does not know, or an answer that did not come from the
  server itself.
  */
  override readonly code: ErrorCode | 'UNKNOWN'

  /**
  @param status of the answer, or its HTTP equivalent
  @param reason as the server spells the code, such as `Object Not Found`
  @param data details for programs, by code: ids of stale objects, the path of a bad value
  @param retryAfterSeconds time until the next attempt, if the server gave one
  */
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly data?: unknown,
    readonly retryAfterSeconds?: number,
  ) {
    super(message)
    this.code = errorCode(reason)
  }
}

/**
The object does not exist, or the caller may not read it (`OBJECT_NOT_FOUND`).

@example
```ts
const milk = await todos.load('milk').catch((error) => {
  if (error instanceof NotFoundError) return undefined
  throw error
})
```
*/
export class NotFoundError extends ServerError {
  override name = 'NotFoundError'
}

/**
The stored version is not the expected one (`OBJECT_OUT_OF_DATE`): load again, and decide anew.

@example
```ts
if (error instanceof OutOfDateError) show('somebody else was faster')
```
*/
export class OutOfDateError extends ServerError {
  override name = 'OutOfDateError'
}

/**
A transaction conflicts with changes of others to objects that it read or writes, in all attempts.

@example
```ts
if (error instanceof ConflictError) console.log(error.stale)
```
*/
export class ConflictError extends OutOfDateError {
  override name = 'ConflictError'

  /** Ids of the objects that had changed. */
  get stale(): readonly string[] {
    const { stale } = (this.data ?? {}) as { readonly stale?: unknown }
    return Array.isArray(stale) ? stale.filter((id): id is string => typeof id === 'string') : []
  }
}

/**
Another object has this id (`OBJECT_EXISTS`) or these unique values (`UNIQUE_INDEX_EXCEPTION`).

@example
```ts
if (error instanceof ExistsError) show('that name is taken')
```
*/
export class ExistsError extends ServerError {
  override name = 'ExistsError'
}

/**
A permission on the class or the object is missing (`PERMISSION_DENIED`).

@example
```ts
if (error instanceof PermissionError) showLogin()
```
*/
export class PermissionError extends ServerError {
  override name = 'PermissionError'
}

/**
User name or password is wrong, or the session has ended (`BAD_CREDENTIALS`).

@example
```ts
if (error instanceof CredentialsError) show('wrong name or password')
```
*/
export class CredentialsError extends ServerError {
  override name = 'CredentialsError'
}

/**
No answer arrived: it is unknown whether a write was done.

@example
```ts
if (error instanceof ConnectionError && error.isOffline) show('you are offline')
```
*/
export class ConnectionError extends OrestesError {
  override name = 'ConnectionError'
  override readonly code = 'CONNECTION'

  /** @param isOffline whether the device itself says that it has no network */
  constructor(
    message: string,
    readonly isOffline: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
The received data violate the protocol.

@example
```ts
if (error instanceof ProtocolError) console.log(error.cause)
```
*/
export class ProtocolError extends OrestesError {
  override name = 'ProtocolError'
  override readonly code = 'PROTOCOL'
}

/**
Returns whether a repetition may succeed later: there was no answer, or the server is temporarily
unavailable.
*/
export function isTemporary(error: unknown): boolean {
  const isFault = error instanceof ServerError && error.status >= 500 && error.status !== 501
  return isFault || error instanceof ConnectionError
}

function errorCode(reason: string): ErrorCode | 'UNKNOWN' {
  const code = reason.toUpperCase().replaceAll(' ', '_')
  return ERROR_CODES.find((each) => each === code) ?? 'UNKNOWN'
}
