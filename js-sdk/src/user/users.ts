import { bodyOf } from '../connector.js'
import { isTemporary, NotFoundError } from '../errors.js'
import { jitter } from '../objects/optimistic.js'
import type { Session } from '../session.js'
import { type Stored, toResult, toStored } from '../wire.js'
import type { Authorization } from './authorization.js'

/**
First and maximum pause before the user is requested again, in milliseconds; each is cut to a random
part of itself.
*/
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 60_000

/** Members of every user; classes may add fields. */
export interface User {
  readonly username: string
  readonly inactive?: boolean | null
}

/** Options of a call of {@link Users}. */
export interface UserOptions {
  readonly signal?: AbortSignal
}

/**
The user of this client.

@example
```ts
const ann = await db.users.login('ann', 'secret')
db.users.onChange((user) => console.log(user ? `hello ${user.username}` : 'bye'))
await db.users.logout()
```
*/
export class Users<U extends object = User> {
  readonly #session: Session
  readonly #authorization: Authorization
  readonly #listeners = new Set<(user: Stored<U> | null) => void>()
  #me: Stored<U> | null = null

  constructor(session: Session, authorization: Authorization) {
    this.#session = session
    this.#authorization = authorization
  }

  /** The user who is logged in, as far as this client knows; null for nobody. */
  get me(): Stored<U> | null {
    return this.#me
  }

  /**
  Creates a user and logs them in.

  @throws {ExistsError} if the name is taken
  @example
  ```ts
  const ann = await db.users.register({ username: 'ann' }, 'secret')
  ```
  */
  async register(
    user: Partial<U> & { readonly username: string },
    password: string,
    { login = true, signal }: UserOptions & { readonly login?: boolean } = {},
  ): Promise<Stored<U>> {
    const body = { user, password, login }
    const response = await this.#session.connector.send('/db/User/register', { method: 'POST', body, signal })
    const registered = toStored<U>(await bodyOf(response))
    return login ? this.#begin(response, registered) : registered
  }

  /**
  Begins a session of a user.

  @throws {CredentialsError} if name or password is wrong
  @example
  ```ts
  await db.users.login('ann', 'secret')
  ```
  */
  async login(username: string, password: string, { signal }: UserOptions = {}): Promise<Stored<U>> {
    const body = { username, password }
    const response = await this.#session.connector.send('/db/User/login', { method: 'POST', body, signal })
    return this.#begin(response, toStored<U>(await bodyOf(response)))
  }

  /**
  Removes the session, here and in tabs that share it. The token itself stays valid until it
  expires; a change of the password ends it at once.
  */
  logout(): void {
    this.#authorization.store.set(null)
    this.#become(null)
  }

  /**
  Requests the user of the session from the server; null if there is none, or not any more.

  @example
  ```ts
  const me = await db.users.refresh()
  ```
  */
  async refresh({ signal }: UserOptions = {}): Promise<Stored<U> | null> {
    const { token } = this
    if (token === null) {
      return this.#become(null)
    }
    const user = await this.#session.connector
      .sendForJson('/db/User/me', { signal })
      .catch((error: unknown) => {
        if (error instanceof NotFoundError) return null
        throw error
      })
    if (!this.#authorization.isStill(token)) {
      return this.#me
    }
    if (user === null) {
      this.logout()
      return null
    }
    return this.#become(toStored<U>(user))
  }

  /**
  Requests the current user after another tab has begun or ended a session. Until the answer
  arrives, live queries show what the new session may see, and the request is repeated.

  @internal
  @param signal ends that
  */
  async follow(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.refresh({ signal })
        return
      } catch (error) {
        if (signal.aborted) return
        if (attempt === 0) this.#session.restartLive()
        if (!isTemporary(error)) return
      }
      const pause = jitter(FIRST_PAUSE, LONGEST_PAUSE, attempt)
      await this.#session.connector.connectivity.pause(pause, signal).catch(() => {})
    }
  }

  /**
  Changes the own password, which ends all other sessions of the user. Admins may change those of
  others, and remain logged in themselves.

  @throws {CredentialsError} if the old one is wrong

  @example
  ```ts
  const options: UserOptions = { signal: AbortSignal.timeout(5000) }
  await db.users.changePassword('ann', 'secret', 'better secret', options)
  ```
  */
  async changePassword(
    username: string,
    password: string,
    newPassword: string,
    { signal }: UserOptions = {},
  ): Promise<Stored<U>> {
    const body = { username, password, newPassword }
    const response = await this.#session.connector.send('/db/User/password', { method: 'POST', body, signal })
    const user = toStored<U>(await bodyOf(response))
    return this.#me === null || this.#me.id === user.id ? this.#begin(response, user) : user
  }

  /**
  Returns names of the user's roles, as far as they may be read.

  @example
  ```ts
  if ((await db.users.roles()).includes('editor')) showTools()
  ```
  */
  async roles({ signal }: UserOptions = {}): Promise<string[]> {
    if (this.#me === null) {
      return []
    }
    const q = encodeURIComponent(JSON.stringify({ users: this.#me.id }))
    const roles = toResult<{ id: string; name?: string }>(
      await this.#session.connector.sendForJson(`/db/Role/query?q=${q}`, { signal }),
    )
    return roles.flatMap(({ name }) => name ?? [])
  }

  /** Calls back when the user has changed, also to nobody; returns its undo. */
  onChange(listener: (user: Stored<U> | null) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The token of the session, for requests outside of this client; null if nobody is logged in. */
  get token(): string | null {
    return this.#authorization.store.get()
  }

  /**
  Adopts the user of a handshake that was made with this token.

  @internal
  */
  resume(user: Stored<U> | null, token: string | null): void {
    if (user === null && token !== null && token === this.token) {
      this.#authorization.store.set(null)
    }
    this.#become(user)
  }

  #begin(response: Response, user: Stored<U>): Stored<U> {
    this.#authorization.begin(response)
    this.#become(user)
    return user
  }

  #become(user: Stored<U> | null): Stored<U> | null {
    const isOther = user?.id !== this.#me?.id
    this.#me = user
    if (isOther) {
      this.#session.restartLive()
      this.#listeners.forEach((listener) => listener(user))
    }
    return user
  }
}
