/** How many candidates are in sight at once, so that the list needs no scrolling. */
export const IN_SIGHT = 8

/** Which candidates are in sight: the first is that of a page. No candidate is active if the number is negative. */
export function inSight<T>(candidates: readonly T[], active: number): { first: number; shown: readonly T[] } {
  const first = active < 0 ? 0 : active - (active % IN_SIGHT)
  return { first, shown: candidates.slice(first, first + IN_SIGHT) }
}

/** The candidate that an arrow leads to; the last one is followed by the first. */
export function moved(active: number, by: 1 | -1, count: number): number {
  return active < 0 ? (by === 1 ? 0 : count - 1) : (active + by + count) % count
}

/** The first candidate of the next page. */
export function nextPage(active: number, count: number): number {
  const next = inSight([], active).first + IN_SIGHT
  return next < count ? next : 0
}
