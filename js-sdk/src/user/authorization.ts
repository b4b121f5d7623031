import type { Credentials } from '../connector.js'
import { type TokenStore, isDue } from './tokens.js'

const HEADER = 'baqend-authorization-token'

/**
The token that requests carry. Answers bring the next one all the time; it is taken in the second half of the token's life only,
as caches keep query results for each token apart. If none comes then, it is asked for, by one tab at a time. What was sent
with another token, before a logout or in another session, changes nothing.
*/
export class Authorization implements Credentials {
  readonly store: TokenStore
  /** Asks for anything that is answered with a token. */
  renew: () => Promise<unknown> = () => Promise.resolve()
  #isRenewing = false
  #renewed: { readonly from: string; readonly to: string } | undefined

  constructor(store: TokenStore) {
    this.store = store
  }

  headers(): Record<string, string> {
    const token = this.store.get()
    return token === null ? {} : { Authorization: `BAT ${token}` }
  }

  answered({ headers }: Response, sent: Record<string, string>): void {
    const current = this.store.get()
    const date = Date.parse(headers.get('Date') ?? '')
    if (current === null || sent['Authorization'] !== `BAT ${current}` || !isDue(current, date)) {
      return
    }
    const next = headers.get(HEADER)
    if (next !== null) {
      this.#renewed = { from: current, to: next }
      this.store.set(next)
    } else {
      void this.#renewOnce(current)
    }
  }

  /** Whether the session is the one that had this token a request ago; the answer may have brought its next one. */
  isStill(token: string): boolean {
    const current = this.store.get()
    return current === token || (this.#renewed?.from === token && this.#renewed.to === current)
  }

  /** Begins a session with the token of an answer. */
  begin({ headers }: Response): void {
    const token = headers.get(HEADER)
    if (token !== null) {
      this.store.set(token)
    }
  }

  /** A failure is none of those that wait for something else; the next answer asks again. */
  async #renewOnce(due: string): Promise<void> {
    if (this.#isRenewing) {
      return
    }
    this.#isRenewing = true
    const task = async () => {
      if (this.store.get() === due) await this.renew()
    }
    await (this.store.exclusively?.(task) ?? task()).catch(() => {})
    this.#isRenewing = false
  }
}
