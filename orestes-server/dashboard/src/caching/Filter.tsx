import { Facts } from '../ui/Facts'
import { bytes, left, percent } from '../server/quantities'
import type { CachingState } from './state'
import { filterWarning } from './words'

/** The Bloom filter of stale keys, which every client loads. */
export function Filter({ state: { filter, now } }: { readonly state: CachingState }) {
  const warning = filterWarning(filter, now)
  return (
    <section className="card" aria-labelledby="filter">
      <h2 id="filter">Filter of stale keys</h2>
      <p className="quiet">
        Keys that changed while a copy may be somewhere that nobody can purge, browsers above all. Clients
        load it and ask for what is in it.
      </p>
      {warning !== undefined && (
        <p className="problem" role="status">
          {warning}
        </p>
      )}
      <Facts
        of={[
          [
            'Stale keys',
            `${filter.stale.toLocaleString('en')} of ${filter.capacity.toLocaleString('en')} it is made for`,
          ],
          ['Bits set', percent(filter.fill)],
          ['False positives', percent(filter.falsePositives)],
          ['Size', bytes(Math.ceil(filter.bits / 8))],
          ['Keys that caches may hold', filter.tracked.toLocaleString('en')],
          [
            'Keys not tracked one by one',
            filter.untrackedUntil === null ? 'none' : `held for ${left(filter.untrackedUntil, now)} more`,
          ],
        ]}
      />
    </section>
  )
}
