import type { AbortOptions } from './aborting.js'
import type { Consistency } from './caching/demand.js'
import { type HandshakeStore, Handshakes } from './caching/handshakes.js'
import { StalenessGuard } from './caching/staleness.js'
import { Connectivity, type DeviceNetwork } from './connectivity.js'
import { Connector, type RequestOptions, baseOf, bodyOf } from './connector.js'
import { ProtocolError } from './errors.js'
import { bucketOf } from './ids.js'
import { type ClassDescriptor, Metamodel, toClasses } from './metamodel.js'
import { Bucket, type LoadOptions } from './objects/bucket.js'
import { plainFetch } from './plainFetch.js'
import { type Result, Session } from './session.js'
import type { TransactionOptions } from './transactions/run.js'
import type { Transaction } from './transactions/transaction.js'
import { Authorization } from './user/authorization.js'
import { type TokenStore, memoryTokens } from './user/tokens.js'
import { type User, Users } from './user/users.js'
import { type Stored, isRecord, toFilterMessage, toStored } from './wire.js'

/** Options of a connection. */
export interface ConnectOptions {
  /** Default consistency of reads. @default 'bounded' */
  readonly consistency?: Consistency
  /** Maximum staleness of a bounded read, in seconds. @default 60 */
  readonly boundSeconds?: number
  /** Whether a shared cache nearby may answer revalidations; see {@link StalenessGuard}. @default false */
  readonly nearby?: boolean
  /** Store of the session's token. @default memoryTokens() */
  readonly tokens?: TokenStore
  /**
  Store of the last handshake, for the next page that connects: `localStorage`. Within
  `boundSeconds` of it, and unless this browser wrote or was notified of a change since,
  {@link connect} then costs no request; reads may come from the browser's cache as well.
  Handshakes of users are not stored.

  @default none
  */
  readonly handshakes?: HandshakeStore
  /** Sends requests; `cachingFetch` of `@orestes/sdk/cache` gives Node a cache. @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** Makes the connection of live queries; null for event streams instead. @default globalThis.WebSocket, where there is one */
  readonly WebSocket?: (new (url: string) => WebSocket) | null
  /**
  Reports whether the device has a network. @default `navigator` and `window`, where there are
  */
  readonly network?: DeviceNetwork
  /** Ends the connection attempt. */
  readonly signal?: AbortSignal
}

/** Schema of classes without a declared type. */
export interface AnySchema {
  readonly [bucket: string]: { [field: string]: unknown }
}

/**
Connects to a server: loads its classes, the filter of stale keys, and the user of the session.

@param url of the server; its interface is at `/v1` unless the URL says otherwise
@throws {ConnectionError} if the server cannot be reached

@example
```ts
interface Schema { Todo: { text: string; done: boolean } }
const db = await connect<Schema>('http://127.0.0.1:8080')
const { data: open } = await db.bucket('Todo').find({ done: false }).list()
```
@example
```ts
const db = await connect('http://127.0.0.1:8080', { handshakes: localStorage }) // a second load costs no request
```
*/
export async function connect<S extends object = AnySchema>(
  url: string,
  options: ConnectOptions = {},
): Promise<Client<S>> {
  options.signal?.throwIfAborted()
  const base = baseOf(url)
  const connectivity = new Connectivity(options.network)
  const send = connectivity.watching(plainFetch(options.fetch))
  const authorization = new Authorization(options.tokens ?? memoryTokens())
  const connector = new Connector(base, authorization, send, connectivity)
  const boundSeconds = options.boundSeconds ?? 60
  const handshakes = new Handshakes(options.handshakes, base, boundSeconds * 1000)
  const guard = new StalenessGuard({
    url: `${base}/bloomfilter`,
    boundSeconds,
    nearby: options.nearby ?? false,
    fetch: send,
  })
  const WebSocket = options.WebSocket === null ? undefined : (options.WebSocket ?? globalThis.WebSocket)
  const hubOptions = () => ({ connector, token: () => authorization.store.get(), WebSocket })
  const session = new Session(connector, guard, options.consistency ?? 'bounded', hubOptions, (doubtMillis) =>
    handshakes.changed(doubtMillis),
  )
  const users = new Users<UserOf<S>>(session, authorization)
  authorization.renew = () => connector.send('/db/User/me')
  const classes =
    takeHandshake(handshakes, guard, users) ??
    (await shakeHands(connector, guard, users, handshakes, options.signal))
  return new Client<S>(session, new Metamodel(classes), users, authorization.store)
}

/**
Returns the handshake of an earlier page, if it is still usable. That of a user contains a token,
and is never stored.
*/
function takeHandshake<U extends object>(
  handshakes: Handshakes,
  guard: StalenessGuard,
  users: Users<U>,
): ClassDescriptor[] | undefined {
  const kept = users.token === null ? handshakes.last() : undefined
  try {
    return kept && learn(kept.body, kept.headers, guard, guard.now() - kept.ageMillis).classes
  } catch {
    // another version of this client may have stored it
    return undefined
  }
}

async function shakeHands<U extends object>(
  connector: Connector,
  guard: StalenessGuard,
  users: Users<U>,
  handshakes: Handshakes,
  signal: AbortSignal | undefined,
): Promise<ClassDescriptor[]> {
  const askedAt = guard.now()
  const token = users.token
  const response = await connector.send('/connect', { signal })
  const body = await bodyOf(response)
  const { classes, user } = learn(body, response.headers, guard, askedAt)
  users.resume(user === undefined ? null : toStored<U>(user), token)
  if (token === null) {
    handshakes.keep(body, response.headers, guard.now() - askedAt)
  }
  return classes
}

/**
Adopts the filter of a handshake.

@throws {ProtocolError} if it is none
*/
function learn(
  body: unknown,
  headers: Headers,
  guard: StalenessGuard,
  askedAt: number,
): { readonly classes: ClassDescriptor[]; readonly user: unknown } {
  if (!isRecord(body) || !Array.isArray(body['schema'])) {
    throw new ProtocolError('This is no Orestes server')
  }
  if (body['bloomFilter'] !== undefined) {
    guard.adopt(toFilterMessage(body['bloomFilter']), headers, askedAt)
  }
  return { classes: toClasses(body['schema']), user: body['user'] }
}

/**
A connection to one server, with the session of one user. Made by {@link connect}.

@example
```ts
console.log(db.url, db.users.me?.username, db.schema.typeOf('Todo', 'done'))
db.close()
```
*/
export class Client<S extends object = AnySchema> {
  /** Base URL of the interface. */
  readonly url: string
  /** The classes of the server. */
  readonly schema: Metamodel
  readonly users: Users<UserOf<S>>
  readonly #session: Session
  readonly #undos: readonly ((() => void) | undefined)[]

  constructor(session: Session, schema: Metamodel, users: Users<UserOf<S>>, tokens: TokenStore) {
    this.url = session.connector.base
    this.schema = schema
    this.users = users
    this.#session = session
    let following = new AbortController()
    this.#undos = [
      session.connector.connectivity.attend(),
      tokens.onChange?.(() => {
        following.abort()
        following = new AbortController()
        void users.follow(following.signal)
      }),
      () => following.abort(),
    ]
  }

  /**
  True if the server is reachable, as far as known without a request: false while the device reports
  that it has no network, and after a request without an answer, until another one succeeds or the
  device has a network again. It is no reason not to try.
  */
  get online(): boolean {
    return this.#session.connector.connectivity.isOnline
  }

  /**
  Calls back when {@link online} has changed; returns its undo.

  @example
  ```ts
  const undo = db.onOnlineChange((isOnline) => show(isOnline ? 'online' : 'offline'))
  ```
  */
  onOnlineChange(listener: (isOnline: boolean) => void): () => void {
    return this.#session.connector.connectivity.onChange(listener)
  }

  /**
  Returns the objects of one class. Without a type for the schema, or for other classes, pass their
  type.

  @example
  ```ts
  const todos = db.bucket('Todo')
  const notes = db.bucket<{ text: string }>('Note')
  ```
  */
  bucket<N extends keyof S & string>(name: N): Bucket<Extract<S[N], object>>
  bucket<T extends object>(name: string): Bucket<T>
  bucket<T extends object>(name: string): Bucket<T> {
    return new Bucket<T>(name, this.#session, this.schema)
  }

  /**
  Loads the referenced object.

  @throws {NotFoundError} if there is none, or it may not be read

  @example
  ```ts
  const { data: owner } = await db.load<User>(todo.owner)
  ```
  */
  load<T extends object>(id: string, options: LoadOptions = {}): Promise<Result<Stored<T>>> {
    return this.bucket<T>(bucketOf(id)).load(id, options)
  }

  /**
  Does several writes as one: all of them or none, and only if nothing that was read has changed
  meanwhile. Reads may come from caches; stale ones are repeated in the next attempt. The code is
  loaded with the first transaction.

  @param task may be called several times; its result is returned once its writes are done
  @throws {ConflictError} if all attempts conflicted with other writes
  @throws whatever the task throws; then nothing is written

  @example
  ```ts
  await db.transaction(async (tx) => {
    const accounts = tx.bucket<{ balance: number }>('Account')
    const { data: from } = await accounts.load('ann')
    const { data: to } = await accounts.load('bob')
    if (from.balance < 10) throw new Error('Ann cannot pay')
    accounts.replace({ ...from, balance: from.balance - 10 })
    accounts.replace({ ...to, balance: to.balance + 10 })
  })
  ```
  */
  async transaction<R>(
    task: (transaction: Transaction<S>) => Promise<R> | R,
    options: TransactionOptions = {},
  ): Promise<R> {
    const { runTransaction } = await import('./transactions/run.js')
    return runTransaction(this.#session, task, options)
  }

  /**
  Sends a request that has no method, as the user of this client and past all caches, and returns
  its answer from JSON; undefined for one without a body. This client does not know what it writes:
  later reads may return older copies.

  @param path below the base URL
  @throws {ServerError} if the server refused
  @throws {ConnectionError} if no answer arrived

  @example
  ```ts
  const { status } = (await db.request('/status')) as { status: string }
  ```
  */
  request(path: string, request: RequestOptions = {}): Promise<unknown> {
    return this.#session.connector.sendForJson(path, request)
  }

  /**
  Sends a request like {@link request}, and returns the raw answer: for one that does not fit in
  memory, such as all objects of a class.

  @param path below the base URL
  @throws {ServerError} if the server refused
  @throws {ConnectionError} if no answer arrived

  @example
  ```ts
  const { body } = await db.response('/db/Todo')
  const text = body?.pipeThrough(new TextDecoderStream())
  ```
  */
  response(path: string, request: RequestOptions = {}): Promise<Response> {
    return this.#session.connector.send(path, request)
  }

  /**
  Loads the filter of stale keys now, so that later reads see all writes until now.

  @example
  ```ts
  await db.refresh({ signal: AbortSignal.timeout(2000) })
  const { data } = await db.bucket('Todo').find().list()
  ```
  */
  refresh(options: AbortOptions = {}): Promise<void> {
    this.#session.changed()
    return this.#session.guard.reload(options)
  }

  /** Stops background tasks of the client, and live queries without a notification. */
  close(): void {
    this.#undos.forEach((undo) => undo?.())
    this.#session.close()
  }
}

/**
Type of the class of users, if the schema has one.

@example
```ts
interface Schema { User: { username: string; email: string } }
const name = (user: UserOf<Schema>) => `${user.username} <${user.email}>`
```
*/
export type UserOf<S> = S extends { readonly User: infer U extends object } ? U & User : User
