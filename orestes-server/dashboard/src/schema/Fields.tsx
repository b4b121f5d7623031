import type { FieldDescriptor } from '@orestes/sdk'
import { useId, useState, type FormEvent } from 'react'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import {
  addFields,
  FIELD_TYPES,
  fieldsOf,
  isFixed,
  nameOf,
  shortType,
  type ClassInfo,
} from '../server/schema'
import { Problem } from '../ui/Problem'
import { constraintsOf } from './constraints'
import { FieldDialog, type FieldAction } from './FieldChanges'
import { TypeSelect } from './TypeSelect'

/** Fields of a class with types and constraints, and a form for one more. */
export function Fields({ info }: { readonly info: ClassInfo }) {
  const { classes } = useAdmin()
  const fields = fieldsOf(info.name, classes)
  const [chosen, setChosen] = useState<{ readonly field: FieldDescriptor; readonly action: FieldAction }>()
  return (
    <section className="card" aria-labelledby="fields">
      <h2 id="fields">Fields</h2>
      {fields.length === 0 ? (
        <p className="quiet">None yet: add the first one, such as a title of type String.</p>
      ) : (
        <div className="scrolls" tabIndex={0} role="region" aria-label="Table of fields">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Type</th>
                <th scope="col">Constraints</th>
                <th scope="col">
                  <span className="only-spoken">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <tr key={field.name}>
                  <th scope="row">
                    {field.name}
                    {info.fields[field.name] === undefined && <span className="tag">inherited</span>}
                  </th>
                  <td>
                    <code>{shortType(field.type)}</code>
                  </td>
                  <td className="quiet">{constraintsOf(field).join(', ') || '–'}</td>
                  <td>
                    {isOwn(info, field) && (
                      <FieldActions field={field} choose={(action) => setChosen({ field, action })} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <AddField bucket={info.name} />
      {chosen && <FieldDialog info={info} {...chosen} close={() => setChosen(undefined)} />}
    </section>
  )
}

/** Whether a field is of the class itself; those that every server has, such as names of users, stay as they are. */
function isOwn(info: ClassInfo, { name }: FieldDescriptor): boolean {
  return info.fields[name] !== undefined && !isFixed(info.name, name)
}

const ACTIONS: readonly (readonly [FieldAction, string])[] = [
  ['rename', 'Rename'],
  ['change', 'Change'],
  ['remove', 'Remove'],
]

interface FieldActionsProps {
  readonly field: FieldDescriptor
  readonly choose: (action: FieldAction) => void
}

function FieldActions({ field, choose }: FieldActionsProps) {
  return (
    <div className="actions">
      {ACTIONS.map(([action, title]) => (
        <button
          type="button"
          className="button small"
          key={action}
          aria-label={`${title} ${field.name}`}
          onClick={() => choose(action)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}

function AddField({ bucket }: { readonly bucket: string }) {
  const { client, reloadClasses } = useAdmin()
  const id = useId()
  const [name, setName] = useState('')
  const [type, setType] = useState(`/db/${FIELD_TYPES[0]}`)
  const add = useTask(async () => {
    await addFields(client, bucket, { [name.trim()]: nameOf(type) })
    await reloadClasses()
    setName('')
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void add.run()
  }
  return (
    <form className="line" aria-label="Add a field" onSubmit={submit}>
      <label className="stack" htmlFor={`${id}name`}>
        New field
        <input
          id={`${id}name`}
          type="text"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
        />
      </label>
      <TypeSelect type={type} choose={setType} />
      <button className="button" disabled={add.isBusy}>
        Add field
      </button>
      <Problem text={add.problem} />
    </form>
  )
}
