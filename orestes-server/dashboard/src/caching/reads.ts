import type { CachingState } from './state'

/** How a read was answered, as the page tells it apart. */
export const WAYS = ['unchanged', 'memory', 'store', 'bypass'] as const

export type Way = (typeof WAYS)[number]

/** How often reads were answered in each way: altogether, or in a second. */
export type Reads = Readonly<Record<Way, number>>

/** What was counted until a moment, in milliseconds since 1970. */
export interface Sample {
  readonly at: number
  readonly reads: Reads
}

/** Ten minutes of them, at one in five seconds. */
const MOST_SAMPLES = 120

export function sampleOf({ now, reads: { hit, miss, bypass } }: CachingState): Sample {
  return {
    at: now,
    reads: {
      unchanged: hit.unchanged + miss.unchanged + bypass.unchanged,
      memory: hit.full,
      store: miss.full,
      bypass: bypass.full,
    },
  }
}

/** The samples with one more; a server that was started anew counts from the beginning, and so do they. */
export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last === undefined || WAYS.some((way) => next.reads[way] < last.reads[way])) return [next]
  return next.at <= last.at ? samples : [...samples, next].slice(-MOST_SAMPLES)
}

/** Answers in a second, from each sample to the next. */
export function ratesOf(samples: readonly Sample[]): readonly Sample[] {
  return samples.slice(1).map((sample, i) => {
    const before = samples[i] as Sample
    const rate = (way: Way) => ((sample.reads[way] - before.reads[way]) * 1000) / (sample.at - before.at)
    return {
      at: sample.at,
      reads: {
        unchanged: rate('unchanged'),
        memory: rate('memory'),
        store: rate('store'),
        bypass: rate('bypass'),
      },
    }
  })
}

export function totalOf(reads: Reads): number {
  return WAYS.reduce((sum, way) => sum + reads[way], 0)
}

/** Share of the reads that the store had to be asked for nothing; undefined if there were none. */
export function hitRateOf({ hit, miss, bypass }: CachingState['reads']): number | undefined {
  const hits = hit.full + hit.unchanged
  const all = hits + miss.full + miss.unchanged + bypass.full + bypass.unchanged
  return all === 0 ? undefined : hits / all
}
