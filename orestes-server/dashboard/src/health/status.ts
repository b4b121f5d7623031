import { ConnectionError, ServerError } from '@orestes/sdk'

/** Who reads what other programs write to the database. */
export interface Changes {
  readonly role: string
  readonly behindMs?: number
}

/** What a server says of itself and its store. */
export interface Status {
  readonly version: string
  readonly store: {
    readonly name: string
    /** What the store cannot do, each with what that costs. */
    readonly missing: readonly string[]
    readonly changes?: Changes
  }
}

/** How a server and its store are, in words. */
export interface Condition {
  readonly server: string
  /** Undefined as long as nothing is known of the store. */
  readonly storage: string | undefined
}

/**
How they are by the last answer and what has gone wrong since; what cannot be known now is not told as if it were.

@param status of the last answer that brought one
@param error of the last request; undefined if it was answered
*/
export function conditionOf(status: Status | undefined, error: Error | undefined): Condition {
  const product = status === undefined ? 'Orestes' : `Orestes ${status.version}`
  const kept = `Objects are kept by ${status === undefined ? 'a store' : storeName(status)}`
  if (error === undefined) {
    return status === undefined
      ? { server: 'Asking the server …', storage: undefined }
      : { server: `${product}, ready`, storage: `${kept}.` }
  }
  // a server that cannot reach its store says so
  if (error instanceof ServerError && error.status === 503) {
    return {
      server: `${product}, not ready for requests`,
      storage: `${kept}, which does not answer at the moment. Writes are refused until it does.`,
    }
  }
  return error instanceof ConnectionError
    ? {
        server: `${product} does not answer`,
        storage: status && `${kept}; whether it answers is not known.`,
      }
    : {
        server: `${product}; whether it is ready is not known`,
        storage: status && `${kept}; whether it answers is not known.`,
      }
}

export function storeName({ store }: Status): string {
  return store.name === 'embedded' ? 'the embedded store' : store.name
}

export function readerOf({ role, behindMs }: Changes): string {
  if (role === 'following') {
    return 'Another server of the group reads what other programs write.'
  }
  const behind = behindMs === undefined ? '' : `, ${(behindMs / 1000).toFixed(1)} s behind`
  return role === 'reading'
    ? `This server reads what other programs write${behind}.`
    : `Reading what other programs write is interrupted${behind}.`
}
