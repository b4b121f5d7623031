import { sourcesOf } from './sources'
import type { CachingState } from './state'

/** How much is answered where, as far as anybody knows. */
export function Sources({ state }: { readonly state: CachingState }) {
  return (
    <section className="card" aria-labelledby="sources">
      <h2 id="sources">Hit rate by source</h2>
      <p className="quiet">
        From the caller to the store, since each was started: each sees only what those above it did not
        answer.
      </p>
      <div className="scrolls" tabIndex={0} role="region" aria-label="Where reads are answered">
        <table className="sources">
          <thead>
            <tr>
              <th scope="col">Answered by</th>
              <th scope="col" className="number">
                Reads
              </th>
              <th scope="col" className="number">
                Share
              </th>
              <th scope="col">Of what</th>
            </tr>
          </thead>
          <tbody>
            {sourcesOf(state).map(({ name, answers, share, note }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="number">{answers === undefined ? '–' : answers.toLocaleString('en')}</td>
                <td className="number">{share}</td>
                <td className="quiet">{note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
