import { left } from '../server/quantities'
import { rangeOf, type LiveList, type LiveQuery, type Window } from './queries'

const KINDS: Readonly<Record<LiveQuery['kind'], string>> = {
  filter: 'objects',
  sorted: 'window',
  aggregate: 'aggregate',
}

interface QueryTableProps {
  readonly list: LiveList
  readonly rates: ReadonlyMap<string, number>
  readonly end: (query: LiveQuery) => void
}

/** Live queries with what they cost. */
export function QueryTable({ list: { queries, total, subscribers, now }, rates, end }: QueryTableProps) {
  return (
    <>
      <p role="status">
        {total.toLocaleString('en')} {total === 1 ? 'query' : 'queries'}, {subscribers.toLocaleString('en')}{' '}
        {subscribers === 1 ? 'subscriber' : 'subscribers'}. Who asks for the same with the same rights shares
        one.
      </p>
      <div className="scrolls" tabIndex={0} role="region" aria-label="Active queries">
        <table>
          <thead>
            <tr>
              <th scope="col">Query</th>
              <th scope="col" className="number">
                Subscribers
              </th>
              <th scope="col" className="number">
                Events
              </th>
              <th scope="col" className="number">
                Per second
              </th>
              <th scope="col" className="number">
                Age
              </th>
              <th scope="col">
                <span className="only-spoken">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {queries.map((query) => (
              <tr key={query.id}>
                <th scope="row" className="query">
                  <Title of={query} />
                </th>
                <td className="number">{query.subscribers.toLocaleString('en')}</td>
                <td className="number">{query.events.toLocaleString('en')}</td>
                <td className="number">{(rates.get(query.id) ?? 0).toFixed(1)}</td>
                <td className="number">{left(now, query.since)}</td>
                <td className="last">
                  <button
                    type="button"
                    className="button small danger"
                    aria-label={`End the query on ${query.class} with ${query.filter}`}
                    onClick={() => end(query)}
                  >
                    End
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Title({ of: { class: name, kind, filter, aggregate, window } }: { readonly of: LiveQuery }) {
  return (
    <>
      {name} <span className="tag">{KINDS[kind]}</span>
      <code>{filter}</code>
      {aggregate !== null && <code>{aggregate}</code>}
      {window !== null && <WindowLine window={window} />}
    </>
  )
}

function WindowLine({ window }: { readonly window: Window }) {
  const { order, held, slack, renewals } = window
  return (
    <span className="quiet">
      {rangeOf(window)} by <code>{order}</code>; {held} held, slack {slack}, {renewals}{' '}
      {renewals === 1 ? 'renewal' : 'renewals'}
    </span>
  )
}
