import type { Purges } from '../server/purges'

/** The shared caches that are told to forget, and how fast they do. */
export function Targets({ purges: { lagMs, targets } }: { readonly purges: Purges }) {
  return (
    <section className="card" aria-labelledby="targets">
      <h2 id="targets">Shared caches</h2>
      {targets.length === 0 ? (
        <p>
          None is told to forget anything. A Varnish or a content delivery network that is named in{' '}
          <code>caching.purge.targets</code> or <code>caching.purge.cdn.url</code> keeps more and for longer,
          as it is purged before a write is answered.
        </p>
      ) : (
        <>
          <p role="status">
            {lagMs === null
              ? 'How far behind they are is not known.'
              : `They hold nothing that was replaced more than ${Math.ceil(lagMs / 1000)} s ago.`}
          </p>
          <div className="scrolls" tabIndex={0} role="region" aria-label="Targets">
            <table>
              <thead>
                <tr>
                  <th scope="col">Target</th>
                  <th scope="col">State</th>
                  {['Median', '99 %', 'Waiting', 'Confirmed', 'Sent again', 'Given up', 'Flushes'].map(
                    (name) => (
                      <th scope="col" className="number" key={name}>
                        {name}
                      </th>
                    ),
                  )}
                </tr>
              </thead>
              <tbody>
                {targets.map((target) => (
                  <tr key={target.name}>
                    <th scope="row">{target.name}</th>
                    <td>{target.late ? 'late: writes do not wait for it' : 'up to date'}</td>
                    <td className="number">{target.medianMs.toFixed(1)} ms</td>
                    <td className="number">{target.p99Ms.toFixed(1)} ms</td>
                    {[target.backlog, target.confirmed, target.failed, target.dead, target.flushes].map(
                      (count, i) => (
                        <td className="number" key={i}>
                          {count.toLocaleString('en')}
                        </td>
                      ),
                    )}
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
