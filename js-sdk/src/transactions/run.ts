import type { Consistency } from '../caching/demand.js'
import { bodyOf } from '../connector.js'
import { ConflictError, ConnectionError, OutOfDateError, ProtocolError, ServerError } from '../errors.js'
import { jitter, type RetryOptions, retried, sleep } from '../objects/optimistic.js'
import type { Session } from '../session.js'
import { isRecord, toFilterMessage, toStored } from '../wire.js'
import { type CommitMessage, type Loader, Transaction, type Work } from './transaction.js'

/** Options of a transaction. */
export interface TransactionOptions extends RetryOptions {
  /**
  Consistency of the reads in the first attempt. An old state only costs another attempt. @default
  the client's consistency
  */
  readonly consistency?: Consistency
  /** Called after each attempt that conflicted with changes of others, before the next one. */
  readonly onConflict?: (conflict: ConflictError) => void
}

/**
Number of times that one commit is sent if no answer arrives: the server does it once, however often
it arrives.
*/
const COMMITS = 4

/**
Runs a task as a transaction until it is committed, or fails for another reason than a conflict.

@throws {ConflictError} if all attempts conflicted with other writes
*/
export function runTransaction<S extends object, R>(
  session: Session,
  task: (transaction: Transaction<S>) => Promise<R> | R,
  options: TransactionOptions,
): Promise<R> {
  const stale = new Set<string>()
  const attempt = () =>
    new Attempt(session, stale, options).run(task).catch((error: unknown) => {
      if (error instanceof ConflictError) {
        error.stale.forEach((id) => stale.add(id))
        options.onConflict?.(error)
      }
      throw error
    })
  return retried(attempt, options).catch((error: unknown) => {
    throw error instanceof TaskFailure ? error.cause : error
  })
}

/** The error of a task, whatever it is: another attempt would not help. */
class TaskFailure extends Error {
  constructor(cause: unknown) {
    super('The task failed', { cause })
  }
}

class Attempt {
  readonly #session: Session
  /** Ids that earlier attempts found changed: to be read from the store. */
  readonly #stale: ReadonlySet<string>
  readonly #options: TransactionOptions

  constructor(session: Session, stale: ReadonlySet<string>, options: TransactionOptions) {
    this.#session = session
    this.#stale = stale
    this.#options = options
  }

  async run<S extends object, R>(task: (transaction: Transaction<S>) => Promise<R> | R): Promise<R> {
    const path = await this.#begin()
    const transaction = new Transaction<S>(this.#loader())
    let result: R
    try {
      result = await task(transaction)
    } catch (error) {
      await this.#abandon(path, transaction.toMessage())
      throw new TaskFailure(error)
    }
    await this.#commit(path, transaction)
    return result
  }

  /** The filter that comes with it makes reads as new as the beginning. */
  async #begin(): Promise<string> {
    const { guard, connector } = this.#session
    const askedAt = guard.now()
    const response = await connector.send('/transaction', { method: 'POST', signal: this.#options.signal })
    const body = await bodyOf(response)
    if (!isRecord(body) || typeof body['tid'] !== 'string') {
      throw new ProtocolError('Not a transaction')
    }
    if (body['bloomFilter'] !== undefined) {
      guard.adopt(toFilterMessage(body['bloomFilter']), response.headers, askedAt)
    }
    return `/transaction/${body['tid']}`
  }

  #loader(): Loader {
    const { signal, consistency } = this.#options
    return (id) => {
      const demanded = this.#stale.has(id) ? 'fresh' : consistency
      const options = { ...(signal && { signal }), ...(demanded && { consistency: demanded }) }
      return this.#session.read(id, toStored<object>, (object) => [object], options)
    }
  }

  /**
  A task that failed on an old state has not failed: its reads are checked, and either the check
  reports the conflict or the transaction has ended without a write.
  */
  async #abandon(path: string, { readSet }: CommitMessage): Promise<void> {
    if (readSet.length === 0 || this.#options.signal?.aborted === true) {
      await this.#session.connector.send(`${path}/aborted`, { method: 'PUT' }).catch(() => {})
      return
    }
    try {
      await this.#send(path, { readSet, writeSet: [], deleteSet: [], partialUpdates: [] })
    } catch (error) {
      if (error instanceof ConflictError) throw error
    }
  }

  async #commit(path: string, transaction: Work): Promise<void> {
    const message = transaction.toMessage()
    const began = this.#session.seen.begin()
    const body = await bodyOf(await this.#send(path, message))
    message.deleteSet.flatMap((each) => Object.keys(each)).forEach((id) => this.#session.seen.gone(id))
    toVersions(body).forEach(([id, version]) => this.#session.seen.object({ id, version }, began))
  }

  async #send(path: string, message: CommitMessage): Promise<Response> {
    const { signal } = this.#options
    const written = idsOf(message)
    for (let sent = 1; ; sent++) {
      const isRepeated = (error: unknown) => sent < COMMITS && mayBeSentAgain(error)
      try {
        const request = { method: 'PUT', body: message, signal }
        return await this.#session.write(written, `${path}/committed`, request, isRepeated)
      } catch (error) {
        if (error instanceof OutOfDateError) {
          throw new ConflictError(error.status, error.reason, error.message, error.data)
        }
        if (!isRepeated(error)) throw error
      }
      await sleep(jitter(100, 2000, sent), signal).catch((aborted: unknown) => {
        this.#session.doubt(written)
        throw aborted
      })
    }
  }
}

function mayBeSentAgain(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ServerError && error.code === 'UNAVAILABLE')
}

function toVersions(body: unknown): [id: string, version: number][] {
  if (!Array.isArray(body) || !body.every(isRecord)) {
    throw new ProtocolError('Not the versions of a commit')
  }
  return body.flatMap((each) => Object.entries(each) as [string, number][])
}

/** Ids of all objects that a commit writes. */
function idsOf({ writeSet, deleteSet, partialUpdates }: CommitMessage): string[] {
  return [
    ...writeSet.map(({ id }) => id),
    ...deleteSet.flatMap((each) => Object.keys(each)),
    ...partialUpdates.map(({ ref }) => ref),
  ]
}
