import { type FilterMessage, isRecord, toFilterMessage } from '../wire.js'
import { ServerTime } from './freshness.js'
import { BloomFilter } from './sketch.js'

/**
Maximum age of a filter when it arrives, in milliseconds: shared caches cache one for all clients
that long.
*/
export const LAG_MILLIS = 1000

/**
Loads the filter over an open connection; undefined if that is impossible. Fails or ends with the
signal.

@param etag of the known filter, which need not be sent again
*/
export type FilterCarrier = (etag: string | undefined, signal: AbortSignal) => Promise<unknown> | undefined

/** A Bloom filter with the metadata of its answer. */
export interface LoadedFilter {
  /** Its entity tag, if known. */
  readonly etag: string | undefined
  readonly filter: BloomFilter
  /** When its request was sent: it contains everything that had become stale by then. */
  readonly askedAt: number
  /** The step when it was sent. */
  readonly began: number
  readonly serverTime: ServerTime
  /** Maximum staleness of purged caches before the filter, in milliseconds; infinite if unknown. */
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
Returns the filter in the message of a socket.

@param known the filter that was named in the request
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

/**
Returns the value of a header that is a whole number of seconds; undefined for any other text.
*/
export function seconds(text: string | null | undefined): number | undefined {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined
}
