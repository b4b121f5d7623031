import { useMemo } from 'react'
import { Chart } from '../ui/Chart'
import { percent } from '../server/quantities'
import { hitRateOf, ratesOf, totalOf, WAYS, type Sample, type Way } from './reads'
import type { CachingState } from './state'

const NAMES: Readonly<Record<Way, string>> = {
  unchanged: 'the caller’s copy was current (304)',
  memory: 'from memory',
  store: 'from the store',
  bypass: 'past all caches',
}

const COLORS: Readonly<Record<Way, string>> = {
  unchanged: 'unchanged',
  memory: 'cache',
  store: 'store',
  bypass: 'quiet',
}

/** Where answers to reads came from, over the last minutes. */
export function ReadRates({
  state,
  samples,
}: {
  readonly state: CachingState
  readonly samples: readonly Sample[]
}) {
  const rates = useMemo(() => ratesOf(samples), [samples])
  const times = useMemo(() => rates.map(({ at }) => at), [rates])
  const lines = useMemo(
    () => WAYS.map((way) => ({ color: COLORS[way], values: rates.map(({ reads }) => reads[way]) })),
    [rates],
  )
  const hitRate = hitRateOf(state.reads)
  const newest = rates.at(-1)
  return (
    <section className="card" aria-labelledby="reads">
      <h2 id="reads">Reads</h2>
      {hitRate === undefined ? (
        <p>
          No read has been answered since the server was started. Load an object,{' '}
          <code>GET /v1/db/Class/key</code>, and load it again: the second answer comes from memory, and in a
          browser from its own cache.
        </p>
      ) : (
        <>
          <p>
            {percent(hitRate)} of the reads that reached this server since its start took nothing from the
            store. What browsers and shared caches answer by themselves does not reach it.
          </p>
          <Chart
            label="Answers per second over the last minutes, by where they came from"
            times={times}
            lines={lines}
          />
          {rates.length < 2 && <p className="quiet">Measuring: the lines begin in a few seconds.</p>}
          <ul className="legend" aria-label="Answers per second now">
            {WAYS.map((way) => (
              <li key={way}>
                <span className={`swatch ${way}`} aria-hidden="true" />
                {NAMES[way]}: {newest === undefined ? '…' : `${newest.reads[way].toFixed(1)}/s`}
              </li>
            ))}
            <li className="quiet">
              together {newest === undefined ? '…' : `${totalOf(newest.reads).toFixed(1)}/s`}
            </li>
          </ul>
        </>
      )}
    </section>
  )
}
