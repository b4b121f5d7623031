import { type FilterMessage, isRecord, toFilterMessage } from '../wire.js'
import { ServerTime } from './freshness.js'
import { BloomFilter } from './sketch.js'

/** How old a filter may be when it arrives, in milliseconds: shared caches keep one for all clients that long. */
export const LAG_MILLIS = 1000

/**
Brings the filter over a connection that is open anyway; undefined if it cannot. Fails or ends with the signal.

@param etag of the filter that is known, which need not be brought again
*/
export type FilterCarrier = (etag: string | undefined, signal: AbortSignal) => Promise<unknown> | undefined

/** A Bloom filter with what its answer said beside it. */
export interface LoadedFilter {
  /** What the server calls it, where that is known. */
  readonly etag: string | undefined
  readonly filter: BloomFilter
  /** When its request was sent: it shows everything that had become stale by then. */
  readonly askedAt: number
  /** The step when it was sent. */
  readonly began: number
  readonly serverTime: ServerTime
  /** What purged caches hold was current at most that long before the filter was, in milliseconds; infinite if nobody knows. */
  readonly purgeLag: number
}

/** @throws {ProtocolError} if the message is no filter */
export function loadedFilter(
  message: FilterMessage,
  headers: Headers,
  askedAt: number,
  began: number,
): LoadedFilter {
  return {
    etag: undefined,
    filter: new BloomFilter(message),
    askedAt,
    began,
    ...toldBy(headers, askedAt),
  }
}

function toldBy(headers: Headers, askedAt: number): Pick<LoadedFilter, 'serverTime' | 'purgeLag'> {
  return {
    serverTime: new ServerTime(headers, askedAt),
    purgeLag: (seconds(headers.get('Orestes-Purge-Lag')) ?? Infinity) * 1000,
  }
}

/**
The same from the message of a socket.

@param known the filter that was named in the question
@throws {ProtocolError} if the message is none
*/
export function carriedFilter(
  message: unknown,
  known: LoadedFilter | undefined,
  askedAt: number,
  began: number,
): LoadedFilter {
  const { etag, date, purgeLag, data } = isRecord(message) ? message : {}
  const headers = new Headers({ Date: String(date), 'Orestes-Purge-Lag': String(purgeLag) })
  if (data === undefined && known?.etag !== undefined && known.etag === etag) {
    return { ...known, askedAt, began, ...toldBy(headers, askedAt) }
  }
  return { ...loadedFilter(toFilterMessage(data), headers, askedAt, began), etag: String(etag) }
}

/** What a header says that is a whole number of seconds, and nothing else. */
export function seconds(text: string | null | undefined): number | undefined {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined
}
