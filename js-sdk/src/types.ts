/** Entry point `@orestes/sdk/types`: the function of `orestes types`, for build scripts. */
import { baseOf } from './connector.js'
import { ConnectionError, ProtocolError } from './errors.js'
import { toClasses } from './metamodel.js'
import { typesOf } from './typesOf.js'
import { toServerError } from './wire.js'

/** Options of the request of a schema. */
export interface TypesOptions {
  /** Token of a user who may read the schema, if it is not public. */
  readonly token?: string
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** Ends the request; the call then fails with the signal's reason. */
  readonly signal?: AbortSignal
}

/**
Returns the types of a running server's classes, as the text of a `.d.ts`: `export interface Schema`
is the type argument of `connect`.

@param url of the server; its interface is at `/v1` unless the URL says otherwise
@throws {ServerError} if the server refuses
@throws {ConnectionError} if it cannot be reached

@example
```ts
const text = await readTypes('http://127.0.0.1:8080')
show(text.includes('export interface Schema'))
```
@example
```ts
const options: TypesOptions = { token: db.users.token ?? '' }
show(await readTypes('http://127.0.0.1:8080', options))
```
*/
export async function readTypes(url: string, options: TypesOptions = {}): Promise<string> {
  const { token, fetch: send = globalThis.fetch, signal } = options
  const headers = { Accept: 'application/json', ...(token && { Authorization: `BAT ${token}` }) }
  const init = { headers, ...(signal && { signal }) }
  const response = await send(`${baseOf(url)}/schema`, init).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw new ConnectionError('The server did not answer', false, { cause })
  })
  const body: unknown = await response.json().catch(() => signal?.throwIfAborted())
  if (!response.ok) {
    throw toServerError(response.status, body)
  }
  if (!Array.isArray(body)) {
    throw new ProtocolError('This is no schema')
  }
  return typesOf(toClasses(body))
}
