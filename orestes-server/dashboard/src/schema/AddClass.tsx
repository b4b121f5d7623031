import { useId, useState, type FormEvent } from 'react'
import { go, hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { addFields, bucketsOf } from '../server/schema'
import { Dialog } from '../ui/Dialog'
import { Problem } from '../ui/Problem'

/** What every class extends that says nothing else. */
const ROOT = 'Object'

/** A button that asks for the name of a new class, and makes it. */
export function AddClass() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button small primary" onClick={() => setOpen(true)}>
        New class
      </button>
      {isOpen && <AddClassDialog close={() => setOpen(false)} />}
    </>
  )
}

function AddClassDialog({ close }: { readonly close: () => void }) {
  const { client, classes, reloadClasses } = useAdmin()
  const id = useId()
  const [name, setName] = useState('')
  const [parent, setParent] = useState(ROOT)
  const [isEmbedded, setEmbedded] = useState(false)
  const add = useTask(async () => {
    const chosen = name.trim()
    if (classes.some((each) => each.name === chosen)) {
      throw new Error(`There is a class called ${chosen} already.`)
    }
    await addFields(client, chosen, {}, isEmbedded ? { embedded: true } : { superClass: `/db/${parent}` })
    await reloadClasses()
    close()
    go(hrefOf('schema', chosen))
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void add.run()
  }
  return (
    <Dialog title="New class" close={close}>
      <form className="fields" onSubmit={submit}>
        <label htmlFor={id}>Name</label>
        <input
          id={id}
          type="text"
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="Book"
          data-first
          required
        />
        <label className="check">
          <input
            type="checkbox"
            checked={isEmbedded}
            onChange={(event) => setEmbedded(event.target.checked)}
          />
          Embedded: its objects are parts of others, and have no id of their own
        </label>
        {!isEmbedded && (
          <>
            <label htmlFor={`${id}parent`}>Extends</label>
            <select id={`${id}parent`} value={parent} onChange={(event) => setParent(event.target.value)}>
              {[ROOT, ...bucketsOf(classes).map((each) => each.name)].map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </>
        )}
        <p className="quiet">What it has comes next. Everybody may read and write objects of a new class.</p>
        <Problem text={add.problem} />
        <footer>
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button className="button primary" disabled={add.isBusy}>
            Create class
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
