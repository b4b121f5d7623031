import { left } from '../server/quantities'
import type { Entry, FilterState } from './state'

const FRACTIONS: Readonly<Record<number, string>> = { 0.125: '⅛', 0.25: '¼', 0.5: '½' }

/** Names a range of ratios by its bounds; undefined below is nothing, null above is no bound. */
export function ratioRange(above: number | undefined, atMost: number | null): string {
  const name = (bound: number) => FRACTIONS[bound] ?? String(bound)
  if (atMost === null) return above === undefined ? 'any' : `more than ${name(above)}`
  return above === undefined ? `up to ${name(atMost)}` : `${name(above)} to ${name(atMost)}`
}

/** Whether clients revalidate a key, and until when. */
export function staleness({ inFilter, staleUntil, now }: Entry): string {
  if (!inFilter) return 'No: whoever holds a copy may use it.'
  return staleUntil === null
    ? 'Yes, by chance: it shares its bits with stale keys. Clients ask once more than they would have to.'
    : `Yes, for ${left(staleUntil, now)} more: clients ask for it before they use a copy.`
}

/** Until when anybody may have a copy. */
export function holding({ heldUntil, tracked, now }: Entry): string {
  if (heldUntil === null) return 'Nobody has a copy, as far as this server handed one out.'
  const time = `for ${left(heldUntil, now)} more`
  return tracked
    ? `Browsers and shared caches, ${time}.`
    : `Not known of this URL; some of those that are not tracked one by one may be held ${time}.`
}

/** What is unusual about the filter, if anything. */
export function filterWarning(
  { allStaleUntil, stale, capacity }: FilterState,
  now: number,
): string | undefined {
  if (allStaleUntil !== null) {
    return `Everything counts as stale for ${left(allStaleUntil, now)} more, as after a start that found no sketch.`
  }
  return stale > capacity
    ? 'More keys are stale than the largest filter is made for: clients ask more often than they would have to. See caching.sketch-max-keys.'
    : undefined
}
