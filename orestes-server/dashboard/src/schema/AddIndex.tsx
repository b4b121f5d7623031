import { useState, type FormEvent } from 'react'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { fieldsOf, type ClassInfo, type IndexInfo } from '../server/schema'
import { Problem } from '../ui/Problem'
import { askForIndex, indexOf, TEXT_INDEX, type ChosenKey } from './indexes'
import { IndexDialog } from './IndexDialog'

/** A form for one more index: on fields in an order, or on the words of all of them. */
export function AddIndex({ info, added }: { readonly info: ClassInfo; readonly added: () => void }) {
  const { client, classes } = useAdmin()
  const fields = fieldsOf(info.name, classes)
  const [isText, setText] = useState(false)
  const [chosen, setChosen] = useState<readonly ChosenKey[]>([{ field: '', direction: 'asc' }])
  const [isUnique, setUnique] = useState(false)
  const [reviewed, setReviewed] = useState<IndexInfo>()
  const add = useTask(async (index: IndexInfo) => {
    await askForIndex(client, info.name, index, 'add')
    added()
  })
  if (fields.length === 0) {
    return <p className="quiet">Add a field first: an index is on fields.</p>
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const index = isText ? TEXT_INDEX : indexOf(chosen, isUnique, fields)
    if (index.unique === true) setReviewed(index)
    else void add.run(index)
  }
  return (
    <form className="stack" aria-label="Add an index" onSubmit={submit}>
      <label className="check">
        <input type="checkbox" checked={isText} onChange={(event) => setText(event.target.checked)} />
        Words of all texts, for <code>$text</code>
      </label>
      {!isText && (
        <>
          <KeyRows names={fields.map(({ name }) => name)} chosen={chosen} change={setChosen} />
          <label className="check">
            <input type="checkbox" checked={isUnique} onChange={(event) => setUnique(event.target.checked)} />
            Unique
          </label>
        </>
      )}
      <div className="actions">
        <button className="button" disabled={add.isBusy}>
          Add index
        </button>
      </div>
      <Problem text={add.problem} />
      {reviewed && (
        <IndexDialog
          bucket={info.name}
          index={reviewed}
          work="add"
          close={() => setReviewed(undefined)}
          done={added}
        />
      )}
    </form>
  )
}

interface KeyRowsProps {
  readonly names: readonly string[]
  readonly chosen: readonly ChosenKey[]
  readonly change: (chosen: readonly ChosenKey[]) => void
}

function KeyRows({ names, chosen, change }: KeyRowsProps) {
  const replace = (at: number, key: ChosenKey) => change(chosen.map((each, i) => (i === at ? key : each)))
  const first = { field: '', direction: 'asc' } as const
  return (
    <>
      {chosen.map((key, i) => (
        <div className="line" key={i}>
          <label className="stack">
            {i === 0 ? 'Index on' : `Field ${i + 1}`}
            <select
              value={key.field === '' ? names[0] : key.field}
              onChange={(event) => replace(i, { ...key, field: event.target.value })}
            >
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <label className="stack">
            {i === 0 ? 'Order' : `Order of field ${i + 1}`}
            <select
              value={key.direction}
              onChange={(event) =>
                replace(i, { ...key, direction: event.target.value as ChosenKey['direction'] })
              }
            >
              <option value="asc">ascending</option>
              <option value="desc">descending</option>
            </select>
          </label>
          {i > 0 && (
            <button
              type="button"
              className="button small"
              aria-label={`Leave out field ${i + 1}`}
              onClick={() => change(chosen.filter((_, at) => at !== i))}
            >
              Leave out
            </button>
          )}
        </div>
      ))}
      {chosen.length < names.length && (
        <div className="actions">
          <button type="button" className="button small" onClick={() => change([...chosen, first])}>
            And on another field
          </button>
        </div>
      )}
    </>
  )
}
