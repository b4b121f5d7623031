import type { Credentials } from '../connector.js'
import { type TokenStore, isDue } from './tokens.js'

const HEADER = 'baqend-authorization-token'

/**
The token that requests carry. Every answer brings the next one; it is adopted in the second half of
the token's life only, as caches store query results for each token apart. If none arrives then, it
is requested, by one tab at a time. Answers to requests with another token, from before a logout or
of another session, change nothing.
*/
export class Authorization implements Credentials {
  readonly store: TokenStore
  /** Sends any request whose answer contains a token. */
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

  /**
  Returns whether the session is the one that had this token a request ago; the answer may have
  brought its next one.
  */
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

  /**
  A failure is ignored, as no caller waits for the token; the next answer starts another attempt.
  */
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
