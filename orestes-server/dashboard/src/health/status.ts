import { ConnectionError, ServerError } from '@orestes/sdk'
import type { Purges, Target } from '../server/purges'

/** Who reads what other programs write to the database. */
export interface Changes {
  readonly role: string
  readonly behindMs?: number
}

export interface StoreHealth {
  readonly name: string
  /** What the store cannot do, each with what that costs. */
  readonly missing: readonly string[]
  readonly changes?: Changes
  readonly reachable: boolean
  readonly answerMs: number | null
}

/** Another server of the group, or this one. */
export interface Member {
  readonly id: string
  readonly address: string
  readonly self: boolean
  readonly link: {
    readonly connected: boolean
    readonly unanswered: number
    readonly bytes: number
    readonly maxBytes: number
  } | null
}

export interface Coordinator {
  readonly kind: 'process' | 'ZooKeeper'
  readonly reachable: boolean
  readonly current: boolean
  readonly leaseMs: number | null
  readonly changeReader: string | null
  readonly servers: readonly Member[]
}

export interface Queues {
  readonly matching: number
  readonly matchingLate: boolean
  readonly passwords: number
  readonly maxPasswords: number
  readonly workersMs: number | null
}

/** What a server says of itself and of what it depends on. */
export interface Report {
  readonly version: string
  readonly ready: boolean
  readonly store: StoreHealth
  readonly coordinator: Coordinator
  readonly purges: Purges
  readonly queues: Queues
}

/** How a server and its store are, in words. */
export interface Condition {
  readonly server: string
  /** Undefined as long as nothing is known of the store. */
  readonly storage: string | undefined
}

/**
How they are by the last answer and what has gone wrong since; what cannot be known now is not told as if it were.

@param report of the last answer that brought one
@param error of the last request; undefined if it was answered
*/
export function conditionOf(report: Report | undefined, error: Error | undefined): Condition {
  const product = report === undefined ? 'Orestes' : `Orestes ${report.version}`
  const kept = `Objects are kept by ${report === undefined ? 'a store' : storeName(report.store)}`
  const away = {
    server: `${product}, not ready for requests`,
    storage: `${kept}, which does not answer at the moment. Writes are refused until it does.`,
  }
  if (error === undefined) {
    if (report === undefined) return { server: 'Asking the server …', storage: undefined }
    if (!report.store.reachable) return away
    return { server: `${product}, ${report.ready ? 'ready' : 'stopping'}`, storage: `${kept}.` }
  }
  // whether somebody is an admin may be what the store has to be asked for
  if (error instanceof ServerError && error.status === 503) return away
  const storage = report && `${kept}; whether it answers is not known.`
  return error instanceof ConnectionError
    ? { server: `${product} does not answer`, storage }
    : { server: `${product}; whether it is ready is not known`, storage }
}

export function storeName({ name }: Pick<StoreHealth, 'name'>): string {
  return name === 'embedded' ? 'the embedded store' : name
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

/** What the group is called where one is not named by its address. */
export function memberName({ address, self }: Member): string {
  const name = address === '' ? 'This server' : address
  return self && address !== '' ? `${name} (this server)` : name
}

/** The address of the server that reads what other programs write, or what is known of it. */
export function changeReaderOf({ changeReader, servers }: Coordinator): string {
  if (changeReader === null) return 'none'
  const member = servers.find(({ id }) => id === changeReader)
  return member === undefined ? 'a server that has left' : memberName(member)
}

/** How it is with the orders to a shared cache, in words. */
export function targetState({ late, backlog }: Target): string {
  if (!late) return backlog === 0 ? 'Up to date' : 'Catching up'
  return 'Late: writes do not wait for it, and it may serve old copies'
}
