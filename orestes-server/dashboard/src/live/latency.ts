/** Writes that took so many milliseconds at most, and more than those of the bucket before; null for any number. */
export interface LatencyBucket {
  readonly atMostMs: number | null
  readonly count: number
}

/** The bound of the bucket with the write that so large a share of all was not slower than; null if it has none. */
export function quantileOf(buckets: readonly LatencyBucket[], share: number): number | null {
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  let seen = 0
  for (const { atMostMs, count } of buckets) {
    seen += count
    if (seen >= share * total) return atMostMs
  }
  return null
}

/** Such as `at most 2.5 ms`. */
export function atMostText(ms: number | null): string {
  return ms === null ? 'longer than was measured' : `at most ${millis(ms)}`
}

/** What a bucket holds, by its bound and that of the bucket before. */
export function rangeText(above: number | undefined, atMost: number | null): string {
  return atMost === null
    ? `more than ${millis(above ?? 0)}`
    : above === undefined
      ? `up to ${millis(atMost)}`
      : `${above.toLocaleString('en')} to ${millis(atMost)}`
}

function millis(ms: number): string {
  return `${ms.toLocaleString('en')} ms`
}
