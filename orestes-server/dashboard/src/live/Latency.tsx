import { Histogram } from '../ui/Histogram'
import { atMostText, quantileOf, rangeText, type LatencyBucket } from './latency'

/** How long writes took to be matched, since the server was started. */
export function Latency({ buckets }: { readonly buckets: readonly LatencyBucket[] }) {
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  return (
    <section className="card" aria-labelledby="latency">
      <h2 id="latency">Latency of matching</h2>
      <p className="quiet">
        From when a write was handed to the grid until every result that it changes was reported. Writes to
        classes that no query is about do not count.
      </p>
      {total === 0 ? (
        <p>
          No write has been matched yet: this fills as objects of classes change that are followed or cached.
        </p>
      ) : (
        <>
          <p role="status">
            {total.toLocaleString('en')} {total === 1 ? 'write' : 'writes'}; half of them took{' '}
            {atMostText(quantileOf(buckets, 0.5))}, 99 % {atMostText(quantileOf(buckets, 0.99))}.
          </p>
          <div className="scrolls" tabIndex={0} role="region" aria-label="Histogram of the latency">
            <Histogram
              caption="How many writes took how long"
              measure="Took"
              counted="Writes"
              bins={buckets.map(({ atMostMs, count }, i) => ({
                range: rangeText(buckets[i - 1]?.atMostMs ?? undefined, atMostMs),
                count,
              }))}
            />
          </div>
        </>
      )}
    </section>
  )
}
