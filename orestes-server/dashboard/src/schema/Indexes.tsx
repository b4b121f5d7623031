import { useCallback, useState } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { loadIndexes, type ClassInfo, type IndexInfo } from '../server/schema'
import { Failure } from '../ui/Failure'
import { AddIndex } from './AddIndex'
import { IndexDialog } from './IndexDialog'
import { isPrimary, titleOf } from './indexes'

/** How often the list is loaded while an index is built. */
const EVERY_MILLIS = 2000

/** Indexes of a class, how far those are that are being filled, and a form for one more. */
export function Indexes({ info }: { readonly info: ClassInfo }) {
  const { client } = useAdmin()
  const [isBuilding, setBuilding] = useState(false)
  const load = useCallback(
    async (signal: AbortSignal) => {
      const indexes = await loadIndexes(client, info.name, signal)
      if (!signal.aborted) setBuilding(indexes.some(({ building }) => building !== undefined))
      return indexes
    },
    [client, info.name],
  )
  const { data, error, reload } = useLoaded(load, isBuilding ? EVERY_MILLIS : undefined)
  const [dropped, setDropped] = useState<IndexInfo>()
  return (
    <section className="card" aria-labelledby="indexes">
      <h2 id="indexes">Indexes</h2>
      {error !== undefined && <Failure error={error} retry={reload} />}
      <ul className="rows">
        {data?.map((index) => (
          <IndexRow index={index} drop={() => setDropped(index)} key={titleOf(index)} />
        ))}
      </ul>
      <AddIndex info={info} added={reload} />
      {dropped && (
        <IndexDialog
          bucket={info.name}
          index={dropped}
          work="drop"
          close={() => setDropped(undefined)}
          done={reload}
        />
      )}
    </section>
  )
}

function IndexRow({ index, drop }: { readonly index: IndexInfo; readonly drop: () => void }) {
  const title = titleOf(index)
  const { building, unique } = index
  return (
    <li>
      <code>{title}</code>
      {unique === true && <span className="tag">unique</span>}
      {building !== undefined && (
        <label className="building">
          <progress max={1} value={building} /> {Math.round(building * 100)} % built
        </label>
      )}
      {!isPrimary(index) && (
        <button type="button" className="button small" onClick={drop} aria-label={`Drop index ${title}`}>
          Drop
        </button>
      )}
    </li>
  )
}
