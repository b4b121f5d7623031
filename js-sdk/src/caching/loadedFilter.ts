import type { FilterMessage } from '../wire.js'
import { ServerTime } from './freshness.js'
import { BloomFilter } from './sketch.js'

/** A Bloom filter with what its answer said beside it. */
export interface LoadedFilter {
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
    filter: new BloomFilter(message),
    askedAt,
    began,
    serverTime: new ServerTime(headers, askedAt),
    purgeLag: (seconds(headers.get('Orestes-Purge-Lag')) ?? Infinity) * 1000,
  }
}

/** What a header says that is a whole number of seconds, and nothing else. */
export function seconds(text: string | null | undefined): number | undefined {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined
}
