import { useCallback, useRef, useState } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { Confirm } from '../ui/Confirm'
import { Failure } from '../ui/Failure'
import { PageHead } from '../ui/PageHead'
import { cellRatesOf, type CellRates } from './grid'
import { GridMap } from './GridMap'
import { Latency } from './Latency'
import { QueryTable } from './QueryTable'
import { ThisServer } from './ThisServer'
import { ratesOf, type LiveList, type LiveQuery } from './queries'

const EVERY_MILLIS = 3000

/** As many as are shown at once. */
const PAGE = 50

interface Shown {
  readonly list: LiveList
  readonly rates: ReadonlyMap<string, number>
  readonly cellRates: CellRates | undefined
}

/** Who follows what, what that costs, and a way to end it. */
export function LivePage() {
  const { client } = useAdmin()
  const [start, setStart] = useState(0)
  const before = useRef<LiveList>(undefined)
  const load = useCallback(
    async (signal: AbortSignal): Promise<Shown> => {
      const path = `/-/live-queries?start=${start}&count=${PAGE}`
      const list = (await client.request(path, { signal })) as LiveList
      const shown = {
        list,
        rates: ratesOf(before.current, list),
        cellRates: cellRatesOf(before.current, list),
      }
      before.current = list
      return shown
    },
    [client, start],
  )
  const { data, error, reload } = useLoaded(load, EVERY_MILLIS)
  const [ending, setEnding] = useState<LiveQuery>()
  return (
    <main tabIndex={-1} className="page">
      <PageHead title="Live queries" />
      <ThisServer />
      {error !== undefined && <Failure error={error} retry={reload} />}
      {data === undefined && error === undefined && (
        <p className="quiet" role="status">
          Asking the server …
        </p>
      )}
      {data !== undefined && (
        <>
          <section className="card" aria-labelledby="queries">
            <h2 id="queries">Active on this server</h2>
            {data.list.total === 0 ? (
              <None />
            ) : (
              <QueryTable list={data.list} rates={data.rates} end={setEnding} />
            )}
            <Pages total={data.list.total} start={start} go={setStart} />
          </section>
          <Latency buckets={data.list.latency} />
          <GridMap grid={data.list.grid} rates={data.cellRates} />
        </>
      )}
      {ending && <EndQuery query={ending} close={() => setEnding(undefined)} ended={reload} />}
    </main>
  )
}

/** Before anybody has subscribed. */
function None() {
  return (
    <p>
      Nobody follows anything at the moment. Press <strong>Live</strong> on the data page, or subscribe to{' '}
      <code>GET /v1/db/Class/events</code> or with <code>query.subscribe(…)</code>: the query appears here,
      and stays for a moment after its last subscriber has left.
    </p>
  )
}

interface PagesProps {
  readonly total: number
  readonly start: number
  readonly go: (start: number) => void
}

/** Which of many are shown; nothing where all are. */
function Pages({ total, start, go }: PagesProps) {
  if (total <= PAGE && start === 0) return null
  return (
    <div className="actions">
      <button
        type="button"
        className="button small"
        disabled={start === 0}
        onClick={() => go(Math.max(0, start - PAGE))}
      >
        Previous
      </button>
      <button
        type="button"
        className="button small"
        disabled={start + PAGE >= total}
        onClick={() => go(start + PAGE)}
      >
        Next
      </button>
      <span className="quiet" role="status">
        {Math.min(start + 1, total)} to {Math.min(start + PAGE, total)} of {total.toLocaleString('en')}
      </span>
    </div>
  )
}

interface EndQueryProps {
  readonly query: LiveQuery
  readonly close: () => void
  readonly ended: () => void
}

function EndQuery({ query: { id, class: name, filter, subscribers }, close, ended }: EndQueryProps) {
  const { client } = useAdmin()
  const confirm = async (signal: AbortSignal) => {
    await client.request(`/-/live-queries/${id}`, { method: 'DELETE', signal })
    ended()
    close()
  }
  return (
    <Confirm title={`End this query on ${name}?`} action="End query" confirm={confirm} close={close}>
      <p className="breaks">
        <code>{filter}</code>
      </p>
      <p>
        {subscribers === 1 ? 'Its subscriber is' : `Its ${subscribers} subscribers are`} told that it has
        ended, and may subscribe again.
      </p>
    </Confirm>
  )
}
