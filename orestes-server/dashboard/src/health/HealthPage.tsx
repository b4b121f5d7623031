import { useCallback } from 'react'
import { ServerError } from '@orestes/sdk'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { Failure } from '../ui/Failure'
import { PageHead } from '../ui/PageHead'
import { conditionOf, readerOf, type Status } from './status'

const EVERY_MILLIS = 5000

/** How the server and its store are. */
export function HealthPage() {
  const { client } = useAdmin()
  const load = useCallback(
    async (signal: AbortSignal) => (await client.request('/status', { signal })) as Status,
    [client],
  )
  const { data, error, reload } = useLoaded(load, EVERY_MILLIS)
  const { server, storage } = conditionOf(data, error)
  return (
    <main tabIndex={-1} className="page">
      <PageHead title="Health" />
      {error !== undefined && !isUnavailable(error) && <Failure error={error} retry={reload} />}
      <section className="card" aria-labelledby="server">
        <h2 id="server">Server</h2>
        <p role="status">{server}</p>
      </section>
      <section className="card" aria-labelledby="storage">
        <h2 id="storage">Storage</h2>
        {storage !== undefined && <p role="status">{storage}</p>}
        {data !== undefined && <Store store={data.store} isNow={error === undefined} />}
      </section>
    </main>
  )
}

interface StoreProps {
  readonly store: Status['store']
  /** Whether this is what it says of itself now. */
  readonly isNow: boolean
}

/** How what others write to the store is read, and what the store cannot do. */
function Store({ store: { changes, missing }, isNow }: StoreProps) {
  return (
    <>
      {changes !== undefined && isNow && <p className="quiet">{readerOf(changes)}</p>}
      {missing.length > 0 && (
        <>
          <p>What it cannot do, and what that costs:</p>
          <ul id="missing-list">
            {missing.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** Said in the place of the server and its store. */
function isUnavailable(error: Error): boolean {
  return error instanceof ServerError && error.status === 503
}
