import type { Json } from '../caching/queryKey.js'

/** A live query as the server takes it. */
export interface LiveSpec {
  readonly bucket: string
  readonly q: { readonly [key: string]: Json }
  readonly sort?: { readonly [path: string]: 1 | -1 }
  readonly offset?: number
  readonly limit?: number
  readonly aggregate?: Json
}

/** What a transport tells of one query. A result may come again: it then stands for everything before. */
export interface Sink {
  result(data: unknown): void
  match(message: unknown): void
  /** All that was told is void; another result follows. */
  reset(): void
  /** Nothing follows. */
  error(error: Error): void
  /** @param silence for how many seconds nothing had come; 0 if it is up */
  connection(isConnected: boolean, silence: number): void
}

/** Brings the events of live queries, across lost connections. */
export interface Transport {
  /** Follows a query; returns its undo, which frees the server, too. */
  open(spec: LiveSpec, sink: Sink): () => void
}

/** First pause before a lost connection is made again, and the longest, in milliseconds. Each is cut to a random part of itself. */
export const FIRST_PAUSE = 1000
export const LONGEST_PAUSE = 30_000
