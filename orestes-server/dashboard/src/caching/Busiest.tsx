import { bytes, left, percent } from '../server/quantities'
import type { BusyKey, CachingState } from './state'

interface BusiestProps {
  readonly state: CachingState
  readonly inspect: (url: string) => void
}

/** What is in memory, and the keys that are read most. */
export function Busiest({ state: { busiest, memory, now }, inspect }: BusiestProps) {
  return (
    <section className="card" aria-labelledby="busiest">
      <h2 id="busiest">Busiest keys</h2>
      <p>
        {memory.entries.toLocaleString('en')} answers in memory take {bytes(memory.bytes)} of{' '}
        {bytes(memory.maxBytes)} ({percent(memory.bytes / Math.max(1, memory.maxBytes))}).
      </p>
      {busiest.length === 0 ? (
        <p>No object or query has been read yet.</p>
      ) : (
        <>
          <p className="quiet">
            Reads that reached this server since each key was seen to be busy. A key that is invalidated about
            as often as it is read gains little from caches.
          </p>
          <div className="scrolls" tabIndex={0} role="region" aria-labelledby="busiest-caption">
            <table>
              <caption className="only-spoken" id="busiest-caption">
                Keys that are read most
              </caption>
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  {['Reads', 'Hits', 'Hit rate', 'Misses', 'Invalidated', 'Counted for', 'In memory'].map(
                    (name) => (
                      <th scope="col" className="number" key={name}>
                        {name}
                      </th>
                    ),
                  )}
                  <th scope="col">
                    <span className="only-spoken">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {busiest.map((each) => (
                  <Row of={each} now={now} inspect={inspect} key={each.key} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  )
}

interface RowProps {
  readonly of: BusyKey
  readonly now: number
  readonly inspect: (url: string) => void
}

function Row({ of: { key, since, hits, misses, invalidations, copy }, now, inspect }: RowProps) {
  const reads = hits + misses
  return (
    <tr>
      <th scope="row" className="key">
        <code>{key}</code>
        {copy !== null && !copy.public && <span className="tag">not public</span>}
      </th>
      <td className="number">{reads.toLocaleString('en')}</td>
      <td className="number">{hits.toLocaleString('en')}</td>
      <td className="number">{percent(hits / Math.max(1, reads))}</td>
      <td className="number">{misses.toLocaleString('en')}</td>
      <td className="number">{invalidations.toLocaleString('en')}</td>
      <td className="number">{left(now, since)}</td>
      <td className="number">
        {copy === null ? 'no' : `${bytes(copy.bytes)} for ${left(copy.expires, now)}`}
      </td>
      <td>
        <button
          type="button"
          className="button small"
          aria-label={`Inspect ${key}`}
          onClick={() => inspect(key)}
        >
          Inspect
        </button>
      </td>
    </tr>
  )
}
