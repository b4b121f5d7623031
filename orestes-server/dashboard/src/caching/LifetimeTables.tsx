import { Histogram } from '../ui/Histogram'
import type { Lifetimes } from './state'
import { ratioRange } from './words'

/** How right the times to live were that caches were granted. */
export function LifetimeTables({ lifetimes }: { readonly lifetimes: readonly Lifetimes[] }) {
  return (
    <section className="card" aria-labelledby="lifetimes">
      <h2 id="lifetimes">Estimated and real lifetimes</h2>
      <p className="quiet">
        The time that caches were granted, divided by how long the state really lived. 1 would be best: less
        costs requests, more a place in the filter.
      </p>
      <div className="beside">
        {lifetimes.map((each) => (
          <LifetimeTable lifetimes={each} key={each.kind} />
        ))}
      </div>
    </section>
  )
}

function LifetimeTable({ lifetimes: { kind, changed, expired, ratios } }: { readonly lifetimes: Lifetimes }) {
  const total = ratios.reduce((sum, { count }) => sum + count, 0)
  return (
    <div>
      <h3>{kind === 'object' ? 'Objects' : 'Query results'}</h3>
      <p>
        {changed + expired === 0
          ? 'Nothing that was granted has ended yet: this fills as copies expire or change.'
          : `${changed.toLocaleString('en')} times to live were ended by a change, ${expired.toLocaleString('en')} passed unchanged.`}
      </p>
      {total > 0 && (
        <Histogram
          caption="Granted divided by lived"
          measure="Granted ÷ lived"
          counted="States"
          bins={ratios.map(({ atMost, count }, i) => ({
            range: ratioRange(ratios[i - 1]?.atMost ?? undefined, atMost),
            count,
          }))}
        />
      )}
    </div>
  )
}
