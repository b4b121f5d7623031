import type { Client } from '@orestes/sdk'
import type { ClassInfo } from '../server/schema'

/** Who uses the dashboard, and what they may see. Nothing is loaded for who is no admin. */
export type Session =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'unreachable'; readonly error: Error }
  | { readonly kind: 'anonymous'; readonly client: Client }
  | { readonly kind: 'refused'; readonly client: Client; readonly username: string }
  | AdminSession

/** Of somebody who may do everything. */
export interface AdminSession {
  readonly kind: 'admin'
  readonly client: Client
  readonly username: string
  readonly classes: readonly ClassInfo[]
  /** Whether the server has ended it, so that the user has to log in again; what the page shows stays until then. */
  readonly hasEnded: boolean
}

/** What a server answers where a session has ended, or its user may not do something (any more). */
const REFUSALS: readonly number[] = [460, 466]

export interface SessionOptions {
  /** Connects with this `fetch`. */
  readonly connect: (fetcher: typeof fetch) => Promise<Client>
  /** Finds out what the user of a client may see. */
  readonly look: (client: Client) => Promise<Session>
  readonly fetch: typeof fetch
}

/** The session of this page: looks again whenever somebody logs in or out, here or in another tab, and when the server refuses something. */
export class Sessions {
  readonly #options: SessionOptions
  readonly #tell: (session: Session) => void
  #client: Client | undefined
  #current: Session = { kind: 'connecting' }
  /** Number of the last look; what an earlier one finds is not true any more. */
  #looks = 0
  #isLooking = false
  #isAsking = false
  /** Whether the server has refused a session that nobody has left. */
  #isEnding = false
  #isOver = false

  constructor(options: SessionOptions, tell: (session: Session) => void) {
    this.#options = options
    this.#tell = tell
  }

  async start(): Promise<void> {
    this.#become({ kind: 'connecting' })
    try {
      const client = await this.#options.connect(this.#fetch)
      if (this.#isOver) return client.close()
      this.#client = client
      client.users.onChange(() => void this.#look(client))
      await this.#look(client)
    } catch (error) {
      this.#become({ kind: 'unreachable', error: error as Error })
    }
  }

  /** The user wants to leave: nothing of the page stays. */
  logOut(): void {
    if (this.#client === undefined) return
    this.#client.users.logout()
    this.#looks++
    this.#isLooking = this.#isEnding = false
    this.#become({ kind: 'anonymous', client: this.#client })
  }

  close(): void {
    this.#isOver = true
    this.#client?.close()
  }

  readonly #fetch: typeof fetch = async (input, init) => {
    const response = await this.#options.fetch(input, init)
    if (REFUSALS.includes(response.status)) void this.#lookAfterRefusal()
    return response
  }

  /** Wrong passwords are refused, too; those of somebody who is not logged in change nothing. */
  async #lookAfterRefusal(): Promise<void> {
    const client = this.#client
    if (client === undefined || client.users.me === null || this.#isLooking || this.#isAsking) return
    this.#isAsking = true
    this.#isEnding = client.users.token !== null
    try {
      // tells that nobody is logged in if the session has ended, which is looked at then
      const user = await client.users.refresh()
      if (user !== null) await this.#look(client)
    } catch {
      // the page itself tells of a server that does not answer
    } finally {
      this.#isAsking = this.#isEnding = false
    }
  }

  async #look(client: Client): Promise<void> {
    const number = ++this.#looks
    const isEnding = this.#isEnding
    this.#isLooking = true
    const found = await this.#options
      .look(client)
      .catch((error: unknown): Session => this.#failed(client, error as Error))
    if (number !== this.#looks) return
    this.#isLooking = false
    const before = this.#current
    const hasEnded = found.kind === 'anonymous' && before.kind === 'admin' && (isEnding || before.hasEnded)
    this.#become(hasEnded ? { ...before, hasEnded } : found)
  }

  /** A server that is busy for a moment takes no page away from whom it was given to. */
  #failed(client: Client, error: Error): Session {
    const shown = this.#current
    return shown.kind === 'admin' && client.users.me?.username === shown.username
      ? { ...shown, hasEnded: false }
      : { kind: 'unreachable', error }
  }

  #become(session: Session): void {
    if (this.#isOver) return
    this.#current = session
    this.#tell(session)
  }
}
