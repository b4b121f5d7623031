import { percent } from '../server/quantities'
import type { CachingState, SharedCache } from './state'

/** Where reads are answered, and what is known of how many. */
export interface Source {
  readonly name: string
  /** Undefined where nobody can count them. */
  readonly answers: number | undefined
  readonly share: string
  /** What it is a share of, or why it is not known. */
  readonly note: string
}

/** All of them, from the caller to the store; each sees only what those before it did not answer. */
export function sourcesOf({ reads, shared }: CachingState): readonly Source[] {
  const { hit, miss, bypass } = reads
  const unchanged = hit.unchanged + miss.unchanged + bypass.unchanged
  const all = unchanged + hit.full + miss.full + bypass.full
  const here = (name: string, answers: number): Source => ({
    name,
    answers,
    share: shareOf(answers, all),
    note: 'of the reads that reached this server',
  })
  return [
    {
      name: 'Browsers and SDKs',
      answers: undefined,
      share: 'not known',
      note: 'What they take from their own caches reaches nobody who could count it.',
    },
    ...shared.map(sharedSource),
    {
      name: 'Other caches on the way',
      answers: undefined,
      share: 'not known',
      note: 'Those that this server does not purge tell it nothing.',
    },
    here('This server: the caller’s copy was current (304)', unchanged),
    here('This server: from memory', hit.full),
    here('This server: from the store', miss.full),
    here('This server: past all caches', bypass.full),
  ]
}

function sharedSource({ name, canTell, counts }: SharedCache): Source {
  if (counts === null) {
    return {
      name,
      answers: undefined,
      share: 'not known',
      note: canTell
        ? 'It does not tell at the moment: ./orestes varnish has it do so, with varnishstat on its PATH.'
        : 'A content delivery network keeps count by itself.',
    }
  }
  const { hits, misses, passed } = counts
  return {
    name,
    answers: hits,
    share: shareOf(hits, hits + misses),
    note: `of what it looked up, pages and filters among that; ${passed.toLocaleString('en')} went past it`,
  }
}

function shareOf(part: number, all: number): string {
  return all === 0 ? 'none yet' : percent(part / all)
}
