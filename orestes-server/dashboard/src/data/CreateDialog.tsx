import { useId, useState, type FormEvent } from 'react'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { shortType } from '../server/schema'
import { InputError, parseValue } from '../server/values'
import { Dialog } from '../ui/Dialog'
import { Problem } from '../ui/Problem'
import { useDiscarding } from '../ui/useDiscarding'
import type { Column } from './columns'
import { ValueInput } from './ValueInput'

interface CreateDialogProps {
  readonly bucket: string
  readonly columns: readonly Column[]
  readonly close: () => void
  readonly created: () => void
}

/** Stores a new object from one input for each field. */
export function CreateDialog({ bucket, columns, close, created }: CreateDialogProps) {
  const { client } = useAdmin()
  const prefix = useId()
  const fields = columns.filter(({ isEditable }) => isEditable)
  const [texts, setTexts] = useState<{ readonly [path: string]: string | null }>({})
  const insert = useTask(async () => {
    const values = fields.map((field) => [field.path, valueOf(field, texts[field.path] ?? null)])
    const key = (texts['id'] ?? '').trim()
    await client.bucket(bucket).insert({ ...Object.fromEntries(values), ...(key && { id: key }) })
    created()
    close()
  })
  const isDirty = Object.values(texts).some((text) => text !== null && text !== '')
  const { leave, question } = useDiscarding(isDirty, close)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void insert.run()
  }
  const change = (path: string) => (text: string | null) =>
    setTexts((before) => ({ ...before, [path]: text }))
  return (
    <Dialog title={`New object of ${bucket}`} close={leave}>
      <form className="fields" onSubmit={submit}>
        <label htmlFor={`${prefix}id`}>
          key <span className="quiet">made up if you leave it empty</span>
        </label>
        <input
          id={`${prefix}id`}
          type="text"
          data-first
          value={texts['id'] ?? ''}
          onChange={(event) => change('id')(event.target.value)}
        />
        {fields.map(({ path, kind, type }) => (
          <div className="stack" key={path}>
            <label htmlFor={prefix + path}>
              {path} <span className="quiet">{shortType(type)}</span>
            </label>
            <ValueInput
              id={prefix + path}
              kind={kind}
              type={type}
              value={texts[path] ?? null}
              change={change(path)}
            />
          </div>
        ))}
        <Problem text={insert.problem} />
        <footer>
          <button type="button" className="button" onClick={leave}>
            Cancel
          </button>
          <button className="button primary" disabled={insert.isBusy}>
            Create
          </button>
        </footer>
      </form>
      {question}
    </Dialog>
  )
}

/** @throws {InputError} that names the field */
function valueOf({ path, kind, type }: Column, text: string | null): unknown {
  try {
    return parseValue(text, kind, type)
  } catch (error) {
    throw new InputError(`${path}: ${(error as Error).message}`)
  }
}
