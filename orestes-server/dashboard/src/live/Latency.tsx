import { Share } from '../ui/Share'
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
            <table>
              <thead>
                <tr>
                  <th scope="col">Took</th>
                  <th scope="col" className="number">
                    Writes
                  </th>
                  <th scope="col">Share</th>
                </tr>
              </thead>
              <tbody>
                {buckets.map(({ atMostMs, count }, i) => (
                  <tr key={atMostMs}>
                    <th scope="row">{rangeText(buckets[i - 1]?.atMostMs ?? undefined, atMostMs)}</th>
                    <td className="number">{count.toLocaleString('en')}</td>
                    <td>
                      <Share share={count / total} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  )
}
