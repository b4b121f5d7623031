import type { Json } from '../caching/queryKey.js'

/** A live query in the form of the server. */
export interface LiveSpec {
  readonly bucket: string
  readonly q: { readonly [key: string]: Json }
  readonly sort?: { readonly [path: string]: 1 | -1 }
  readonly offset?: number
  readonly limit?: number
  readonly aggregate?: Json
}

/**
Callbacks of a transport for one query. A result may come again: it then replaces everything before.
*/
export interface Sink {
  result(data: unknown): void
  match(message: unknown): void
  /** All earlier events are void; another result follows. */
  reset(): void
  /** The query failed; nothing follows. */
  error(error: Error): void
  /** @param silence seconds without data; 0 if it is up */
  connection(isConnected: boolean, silence: number): void
}

/** Receives the events of live queries, across lost connections. */
export interface Transport {
  /** Follows a query; returns its undo, which frees the server, too. */
  open(spec: LiveSpec, sink: Sink): () => void
}

/**
First and maximum pause before a lost connection is opened again, in milliseconds. Each is cut to a
random part of itself.
*/
export const FIRST_PAUSE = 1000
export const LONGEST_PAUSE = 30_000
