import { ServerError } from '@orestes/sdk'
import { useState, type FormEvent, type ReactNode } from 'react'
import { hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { nameOf } from '../server/schema'
import { keyIn } from '../server/values'
import { openSink } from '../transfer/sink'
import { Dialog } from '../ui/Dialog'
import { Problem } from '../ui/Problem'
import { Snippet } from '../ui/Snippet'
import { curlOf, migrationOf, type Difference, type SchemaChange } from './changes'

interface ChangeDialogProps {
  readonly title: string
  /** What the button that does it says. */
  readonly action: string
  /** Undefined as long as there is nothing to change. */
  readonly change: SchemaChange | undefined
  readonly differences: readonly Difference[]
  readonly effects: readonly string[]
  readonly close: () => void
  /** Called once it is done, before the classes are loaded anew. */
  readonly done?: () => void
  /** What is typed in. */
  readonly children?: ReactNode
}

/** A change of a class: what is typed, what will be different, what that does, and the file that does the same elsewhere. */
export function ChangeDialog({
  title,
  action,
  change,
  differences,
  effects,
  close,
  done,
  children,
}: ChangeDialogProps) {
  const { client, reloadClasses } = useAdmin()
  const [misfits, setMisfits] = useState<readonly string[]>([])
  const apply = useTask(async () => {
    setMisfits([])
    try {
      await client.request('/schema', { method: 'POST', body: change })
    } catch (error) {
      setMisfits(misfitsIn(error))
      throw error
    }
    done?.()
    await reloadClasses()
    close()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (change !== undefined) void apply.run()
  }
  return (
    <Dialog title={title} close={close}>
      <form className="fields" onSubmit={submit}>
        {children}
        {change === undefined ? (
          <p className="quiet">Nothing is different yet.</p>
        ) : (
          <Review differences={differences} effects={effects}>
            <Migration change={change} />
          </Review>
        )}
        <Problem text={apply.problem} />
        <Misfits ids={misfits} />
        <footer>
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button className="button danger" disabled={apply.isBusy || change === undefined}>
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** Ids of stored objects that are in the way of a change, as far as the server names them. */
function misfitsIn(error: unknown): readonly string[] {
  const { ids } = ((error instanceof ServerError && error.data) || {}) as { readonly ids?: unknown }
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : []
}

interface ReviewProps {
  readonly differences: readonly Difference[]
  readonly effects: readonly string[]
  /** How other servers are changed likewise. */
  readonly children: ReactNode
}

/** What a change makes different, and what that does. */
export function Review({ differences, effects, children }: ReviewProps) {
  return (
    <>
      <div className="scrolls" tabIndex={0} role="region" aria-label="What will be different">
        <table className="differences">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ what, before, after }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td>
                  <del>{before}</del>
                </td>
                <td>
                  <ins>{after}</ins>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="effects">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      {children}
    </>
  )
}

/** The same change for other servers: as a file, or as a request. */
function Migration({ change }: { readonly change: SchemaChange }) {
  const { name, text } = migrationOf(change)
  const save = useTask(async () => {
    const sink = await openSink(name)
    await sink.write(text)
    await sink.close()
  })
  return (
    <details>
      <summary>For other servers</summary>
      <p className="quiet">
        The migration file belongs into <code>migrations</code> of the folder of your schema:{' '}
        <code>./orestes schema apply</code> carries it out once on each server. Give it the next number there
        is.
      </p>
      <Snippet name={name} code={text} />
      <button type="button" className="button small" onClick={() => void save.run()}>
        Save {name}
      </button>
      <Problem text={save.problem} />
      <Snippet name="curl" code={curlOf(change, location.origin)} />
    </details>
  )
}

function Misfits({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) {
    return null
  }
  return (
    <div className="refused">
      <p>These do not fit, among others perhaps:</p>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <a href={hrefOf('data', nameOf(id).split('/')[0])} target="_blank" rel="noreferrer">
              {keyIn(id)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
