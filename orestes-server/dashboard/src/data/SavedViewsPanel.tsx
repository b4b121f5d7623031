import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type FormEvent } from 'react'
import { hrefOf, type View } from '../app/route'
import { useTask } from '../app/useTask'
import { Confirm } from '../ui/Confirm'
import { Problem } from '../ui/Problem'
import type { Column } from './columns'
import { missingFields } from './missingFields'
import { LONGEST_NAME, SavedViews, type SavedView } from './savedViews'

interface SavedViewsPanelProps {
  readonly bucket: string
  readonly columns: readonly Column[]
  /** How the class is looked at now. */
  readonly view: View
  readonly isLive: boolean
  /** Shows what the address of a view does not say. */
  readonly opened: (view: SavedView) => void
}

/** Ways to look at a class that this browser keeps: saves the present one under a name, opens, renames and deletes them. */
export function SavedViewsPanel({ bucket, columns, view, isLive, opened }: SavedViewsPanelProps) {
  const views = useMemo(() => new SavedViews(bucket, () => localStorage), [bucket])
  const all = useSyncExternalStore(views.subscribe, views.all)
  useEffect(() => {
    addEventListener('storage', views.changed)
    return () => removeEventListener('storage', views.changed)
  }, [views])
  const panel = useRef<HTMLElement>(null)
  /** Whether the focus was on an entry that has gone, or is at another place now. */
  const isLost = useRef(false)
  useEffect(() => {
    if (isLost.current && document.activeElement === document.body) panel.current?.focus()
    isLost.current = false
  }, [all])
  const isPresent = (each: SavedView) =>
    each.filter === view.filter &&
    each.sort === view.sort &&
    each.columns === view.columns &&
    each.isLive === isLive
  return (
    <section className="saved-views card" aria-label="Saved views" ref={panel} tabIndex={-1}>
      {all.length === 0 ? (
        <p className="quiet">
          None yet. Filter and order the table as you need it, choose its columns, and save that under a name:
          this browser keeps it. To share a view, send its address.
        </p>
      ) : (
        <ul className="rows">
          {all.map((each) => (
            <Entry
              key={each.name}
              bucket={bucket}
              view={each}
              views={views}
              isPresent={isPresent(each)}
              missing={missingFields(each, columns)}
              open={() => opened(each)}
              moved={() => {
                isLost.current = true
              }}
            />
          ))}
        </ul>
      )}
      <NameForm
        label="Save this view as"
        views={views}
        store={(name) =>
          views.save({ name, filter: view.filter, sort: view.sort, columns: view.columns, isLive })
        }
      />
    </section>
  )
}

interface EntryProps {
  readonly bucket: string
  readonly view: SavedView
  readonly views: SavedViews
  readonly isPresent: boolean
  readonly missing: readonly string[]
  readonly open: () => void
  /** Is told before the entry goes, or goes elsewhere. */
  readonly moved: () => void
}

function Entry({ bucket, view, views, isPresent, missing, open, moved }: EntryProps) {
  const { name } = view
  const [doing, setDoing] = useState<'rename' | 'delete'>()
  const stop = () => setDoing(undefined)
  return (
    <li>
      <a
        href={hrefOf('data', bucket, undefined, view)}
        aria-current={isPresent}
        onClick={(event) => {
          // in another tab it is only what its address says
          if (!event.ctrlKey && !event.metaKey && !event.shiftKey) open()
        }}
      >
        {name}
      </a>
      <span className="quiet what">{wordsOf(view)}</span>
      {missing.length > 0 && <span className="problem">No field any more: {missing.join(', ')}</span>}
      <span className="actions">
        <button
          type="button"
          className="button small"
          aria-expanded={doing === 'rename'}
          aria-label={`Rename ${name}`}
          onClick={() => setDoing(doing === 'rename' ? undefined : 'rename')}
        >
          Rename
        </button>
        <button
          type="button"
          className="button small"
          aria-label={`Delete ${name}`}
          onClick={() => setDoing('delete')}
        >
          Delete
        </button>
      </span>
      {doing === 'rename' && (
        <NameForm
          label={`New name of ${name}`}
          views={views}
          own={name}
          store={(next) => {
            moved()
            views.rename(name, next)
            stop()
          }}
        />
      )}
      {doing === 'delete' && (
        <Confirm
          title={`Delete the view ${name}?`}
          action="Delete view"
          confirm={async () => {
            moved()
            views.remove(name)
            stop()
          }}
          close={stop}
        >
          <p>The objects that it shows stay.</p>
        </Confirm>
      )}
    </li>
  )
}

const LONGEST = 120

function wordsOf({ filter, sort, columns, isLive }: SavedView): string {
  const cut = filter.length > LONGEST ? `${filter.slice(0, LONGEST)}…` : filter
  const order = sort === '' ? '' : sort.startsWith('-') ? `by ${sort.slice(1)}, descending` : `by ${sort}`
  const shown = columns === '' ? '' : `columns ${columns.split(',').join(', ')}`
  return [cut || 'all objects', order, shown, isLive && 'live'].filter(Boolean).join(', ')
}

interface NameFormProps {
  readonly label: string
  readonly views: SavedViews
  /** The name that it is about, if it is about one. */
  readonly own?: string
  readonly store: (name: string) => void
}

/** Asks for a name, and whether it may replace the view that has it already. */
function NameForm({ label, views, own, store }: NameFormProps) {
  const [name, setName] = useState(own ?? '')
  const [taken, setTaken] = useState<string>()
  const task = useTask(async (wanted: string) => {
    store(wanted)
    if (own === undefined) setName('')
    setTaken(undefined)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    if (wanted === '') return task.setProblem('A view needs a name.')
    if (wanted !== own && views.has(wanted) && taken !== wanted) {
      task.setProblem('')
      return setTaken(wanted)
    }
    void task.run(wanted)
  }
  const isTaken = taken !== undefined && taken === name.trim()
  return (
    <form className="line" onSubmit={submit}>
      <label className="stack">
        {label}
        <input
          type="text"
          value={name}
          maxLength={LONGEST_NAME}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <button className="button small">{isTaken ? 'Replace it' : 'Save'}</button>
      <p className="taken" role="status">
        {isTaken && `There is a view called ${taken} already.`}
      </p>
      <Problem text={task.problem} />
    </form>
  )
}
