import { bytes, left, percent } from '../server/quantities'
import type { CachingState } from './state'

interface HottestProps {
  readonly state: CachingState
  readonly inspect: (url: string) => void
}

/** What is in memory, and what of it is asked for most. */
export function Hottest({ state: { hottest, memory, now }, inspect }: HottestProps) {
  return (
    <section className="card" aria-labelledby="hottest">
      <h2 id="hottest">In memory</h2>
      <p>
        {memory.entries.toLocaleString('en')} answers take {bytes(memory.bytes)} of {bytes(memory.maxBytes)} (
        {percent(memory.bytes / Math.max(1, memory.maxBytes))}).
      </p>
      {hottest.length > 0 && (
        <div className="scrolls" tabIndex={0} role="region" aria-labelledby="hottest-caption">
          <table>
            <caption className="only-spoken" id="hottest-caption">
              Asked for most, by the estimate that decides what makes room for others
            </caption>
            <thead>
              <tr>
                <th scope="col">Asked for most</th>
                <th scope="col" className="number">
                  Size
                </th>
                <th scope="col" className="number">
                  Dropped in
                </th>
                <th scope="col">
                  <span className="only-spoken">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {hottest.map(({ key, bytes: size, expires, public: isPublic }) => (
                <tr key={key}>
                  <th scope="row" className="key">
                    <code>{key}</code>
                    {!isPublic && <span className="tag">not public</span>}
                  </th>
                  <td className="number">{bytes(size)}</td>
                  <td className="number">{left(expires, now)}</td>
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
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
