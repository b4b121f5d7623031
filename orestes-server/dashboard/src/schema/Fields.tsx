import { useId, useState, type FormEvent } from 'react'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { addFields, bucketsOf, FIELD_TYPES, fieldsOf, shortType, type ClassInfo } from '../server/schema'
import { Problem } from '../ui/Problem'
import { constraintsOf } from './constraints'

/** Fields of a class with types and constraints, and a form for one more. */
export function Fields({ info }: { readonly info: ClassInfo }) {
  const { classes } = useAdmin()
  const fields = fieldsOf(info.name, classes)
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
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <AddField bucket={info.name} />
    </section>
  )
}

function AddField({ bucket }: { readonly bucket: string }) {
  const { client, classes, reloadClasses } = useAdmin()
  const id = useId()
  const [name, setName] = useState('')
  const [type, setType] = useState<string>(FIELD_TYPES[0])
  const add = useTask(async () => {
    await addFields(client, bucket, { [name.trim()]: type })
    await reloadClasses()
    setName('')
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void add.run()
  }
  const references = bucketsOf(classes).map((each) => each.name)
  const embedded = classes.filter((each) => each.embedded === true).map((each) => each.name)
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
      <label className="stack" htmlFor={`${id}type`}>
        Type
        <select id={`${id}type`} value={type} onChange={(event) => setType(event.target.value)}>
          <optgroup label="Values">{FIELD_TYPES.map(option)}</optgroup>
          <optgroup label="References">{references.map(option)}</optgroup>
          {embedded.length > 0 && <optgroup label="Embedded">{embedded.map(option)}</optgroup>}
          <optgroup label="Lists">
            {['String', 'Integer', 'Double', ...references].map((each) =>
              option(`collection.List[/db/${each}]`),
            )}
          </optgroup>
        </select>
      </label>
      <button className="button" disabled={add.isBusy}>
        Add field
      </button>
      <Problem text={add.problem} />
    </form>
  )
}

function option(type: string) {
  return (
    <option key={type} value={type}>
      {shortType(type)}
    </option>
  )
}
