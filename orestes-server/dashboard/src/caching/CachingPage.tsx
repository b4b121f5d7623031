import { useCallback, useState } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { Confirm } from '../ui/Confirm'
import { Failure } from '../ui/Failure'
import { PageHead } from '../ui/PageHead'
import { Filter } from './Filter'
import { Busiest } from './Busiest'
import { Inspector } from './Inspector'
import { LifetimeTables } from './LifetimeTables'
import { ReadRates } from './ReadRates'
import { sampleOf, withSample, type Sample } from './reads'
import { Sources } from './Sources'
import type { CachingState } from './state'
import { Targets } from './Targets'

const EVERY_MILLIS = 5000

/** What is kept where and for how long, what that is worth, and ways to have it forgotten. */
export function CachingPage() {
  const { client } = useAdmin()
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const [inspected, setInspected] = useState('')
  const [isPurging, setPurging] = useState(false)
  const load = useCallback(
    async (signal: AbortSignal) => {
      const state = (await client.request('/-/caching', { signal })) as CachingState
      if (!signal.aborted) setSamples((before) => withSample(before, sampleOf(state)))
      return state
    },
    [client],
  )
  const { data, error, reload } = useLoaded(load, EVERY_MILLIS)
  return (
    <main tabIndex={-1} className="page">
      <PageHead title="Caching">
        <button type="button" className="button small danger" onClick={() => setPurging(true)}>
          Purge everything
        </button>
      </PageHead>
      {error !== undefined && <Failure error={error} retry={reload} />}
      {data === undefined && error === undefined && (
        <p className="quiet" role="status">
          Asking the server …
        </p>
      )}
      {data !== undefined && (
        <>
          <ReadRates state={data} samples={samples} />
          <Sources state={data} />
        </>
      )}
      <Inspector inspected={inspected} inspect={setInspected} />
      {data !== undefined && (
        <>
          <Busiest state={data} inspect={setInspected} />
          <Filter state={data} />
          <LifetimeTables lifetimes={data.lifetimes} />
          <Targets purges={data.purges} />
        </>
      )}
      {isPurging && <PurgeEverything close={() => setPurging(false)} purged={reload} />}
    </main>
  )
}

function PurgeEverything({ close, purged }: { readonly close: () => void; readonly purged: () => void }) {
  const { client } = useAdmin()
  const confirm = async (signal: AbortSignal) => {
    await client.request('/-/caching', { method: 'DELETE', signal })
    purged()
    close()
  }
  return (
    <Confirm title="Purge everything?" action="Purge everything" confirm={confirm} close={close}>
      <p>
        Servers and shared caches forget all objects and query results, and browsers ask for theirs before
        they use them. Nothing is lost, but until copies are made anew every read is one of the store.
      </p>
    </Confirm>
  )
}
