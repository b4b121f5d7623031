import { useCallback, type ReactNode } from 'react'
import { ServerError } from '@orestes/sdk'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { Failure } from '../ui/Failure'
import { PageHead } from '../ui/PageHead'
import { StateTag, type State } from '../ui/State'
import { CoordinatorFacts } from './CoordinatorFacts'
import { QueueFacts } from './QueueFacts'
import { StoreFacts } from './StoreFacts'
import { TargetFacts } from './TargetFacts'
import { conditionOf, type Report } from './status'
import { statesOf, summaryOf, type Part } from './states'

const EVERY_MILLIS = 5000

/** How the server is, and all that it depends on. */
export function HealthPage() {
  const { client } = useAdmin()
  const load = useCallback(
    async (signal: AbortSignal) => (await client.request('/-/health', { signal })) as Report,
    [client],
  )
  const { data, error, reload } = useLoaded(load, EVERY_MILLIS)
  const { server, storage } = conditionOf(data, error)
  const states = statesOf(data, error)
  const isAsking = data === undefined && error === undefined
  return (
    <main tabIndex={-1} className="page">
      <PageHead title="Health" />
      {error !== undefined && !isUnavailable(error) && <Failure error={error} retry={reload} />}
      {/* numbers below change all the time; only this is read out when it becomes another one */}
      <p role="status">{isAsking ? '' : summaryOf(states)}</p>
      <Card of="Server" state={isAsking ? undefined : states.Server}>
        <p>{server}</p>
      </Card>
      {(storage !== undefined || data !== undefined) && (
        <Card of="Storage" state={states.Storage}>
          <p>{storage}</p>
          {data !== undefined && <StoreFacts store={data.store} isNow={error === undefined} />}
        </Card>
      )}
      {data !== undefined && (
        <>
          {error !== undefined && <p className="quiet">What follows is from before it failed.</p>}
          <Card of="Coordination" state={states.Coordination}>
            <CoordinatorFacts of={data} />
          </Card>
          <Card of="Shared caches" state={states['Shared caches']}>
            <TargetFacts purges={data.purges} />
          </Card>
          <Card of="Queues" state={states.Queues}>
            <QueueFacts queues={data.queues} />
          </Card>
        </>
      )}
    </main>
  )
}

interface CardProps {
  readonly of: Part
  /** Undefined while the first answer is waited for. */
  readonly state: State | undefined
  readonly children: ReactNode
}

function Card({ of, state, children }: CardProps) {
  const id = of.toLowerCase().replace(' ', '-')
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{of}</h2>
        {state !== undefined && <StateTag of={state} />}
      </div>
      {children}
    </section>
  )
}

/** Said in the place of the server and its store. */
function isUnavailable(error: Error): boolean {
  return error instanceof ServerError && error.status === 503
}
