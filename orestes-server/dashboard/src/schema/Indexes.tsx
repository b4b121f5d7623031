import { useCallback, useId, useState, type FormEvent } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { useTask } from '../app/useTask'
import { addIndex, dropIndex, fieldsOf, loadIndexes, type ClassInfo, type IndexInfo } from '../server/schema'
import { Confirm } from '../ui/Confirm'
import { Failure } from '../ui/Failure'
import { Problem } from '../ui/Problem'

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
        <DropIndex bucket={info.name} index={dropped} close={() => setDropped(undefined)} dropped={reload} />
      )}
    </section>
  )
}

interface DropIndexProps {
  readonly bucket: string
  readonly index: IndexInfo
  readonly close: () => void
  readonly dropped: () => void
}

function DropIndex({ bucket, index, close, dropped }: DropIndexProps) {
  const { client } = useAdmin()
  const confirm = async () => {
    await dropIndex(client, bucket, index)
    dropped()
    close()
  }
  return (
    <Confirm
      title={`Drop the index on ${titleOf(index)}?`}
      action="Drop index"
      confirm={confirm}
      close={close}
    >
      <p>
        Queries that use it become slow, and building it again takes its time.
        {index.unique === true && ' Values may be there twice from then on.'}
      </p>
    </Confirm>
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

function AddIndex({ info, added }: { readonly info: ClassInfo; readonly added: () => void }) {
  const { client, classes } = useAdmin()
  const id = useId()
  const fields = fieldsOf(info.name, classes)
  const [chosen, setChosen] = useState('')
  const [direction, setDirection] = useState('asc')
  const [isUnique, setUnique] = useState(false)
  const field = fields.find(({ name }) => name === chosen) ?? fields[0]
  const add = useTask(async () => {
    if (field === undefined) return
    const kind = field.type === '/db/GeoPoint' ? 'geo' : direction
    await addIndex(client, info.name, { keys: [{ [field.name]: kind }], unique: isUnique })
    added()
  })
  if (field === undefined) {
    return <p className="quiet">Add a field first: an index is on fields.</p>
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void add.run()
  }
  return (
    <form className="line" aria-label="Add an index" onSubmit={submit}>
      <label className="stack" htmlFor={`${id}field`}>
        Index on
        <select id={`${id}field`} value={field.name} onChange={(event) => setChosen(event.target.value)}>
          {fields.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label className="stack" htmlFor={`${id}order`}>
        Order
        <select id={`${id}order`} value={direction} onChange={(event) => setDirection(event.target.value)}>
          <option value="asc">ascending</option>
          <option value="desc">descending</option>
        </select>
      </label>
      <label className="check">
        <input type="checkbox" checked={isUnique} onChange={(event) => setUnique(event.target.checked)} />
        Unique
      </label>
      <button className="button" disabled={add.isBusy}>
        Add index
      </button>
      <Problem text={add.problem} />
    </form>
  )
}

function titleOf({ keys }: IndexInfo): string {
  return keys
    .flatMap((key) => Object.entries(key))
    .map(([path, direction]) => `${path} ${direction}`)
    .join(', ')
}

/** The index on ids belongs to the class. */
function isPrimary({ keys }: IndexInfo): boolean {
  return keys.length === 1 && keys[0] !== undefined && 'id' in keys[0]
}
