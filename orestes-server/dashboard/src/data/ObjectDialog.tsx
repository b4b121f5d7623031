import { NotFoundError, OutOfDateError } from '@orestes/sdk'
import { useCallback, useState } from 'react'
import { hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { useTask } from '../app/useTask'
import { InputError, jsonIn, keyIn } from '../server/values'
import { Dialog } from '../ui/Dialog'
import { Failure } from '../ui/Failure'
import { Problem } from '../ui/Problem'
import { useDiscarding } from '../ui/useDiscarding'
import { DeleteDialog } from './DeleteDialog'
import { changeOf, roundedFields, type Fields } from './objectChange'
import type { Row } from './rows'

interface ObjectDialogProps {
  readonly bucket: string
  readonly objectKey: string
  readonly close: () => void
  readonly changed: () => void
}

/** What was typed into the JSON of one version. */
interface Draft {
  readonly version: number
  readonly text: string
}

/** One object as JSON, to be looked at, changed or deleted. */
export function ObjectDialog({ bucket, objectKey, close, changed }: ObjectDialogProps) {
  const { client } = useAdmin()
  const load = useCallback(
    async (signal: AbortSignal) =>
      (await client.bucket<{ [field: string]: unknown }>(bucket).load(objectKey, { signal })).data,
    [client, bucket, objectKey],
  )
  const { data, error, reload } = useLoaded(load)
  const [draft, setDraft] = useState<Draft>()
  const stored = data && editable(data)
  // what was typed for another version is not shown any more
  const text = draft !== undefined && draft.version === data?.version ? draft.text : stored
  const { leave, question } = useDiscarding(text !== stored, close)
  return (
    <Dialog title={`${bucket} ${objectKey}`} close={leave}>
      {error !== undefined && <Failure error={error} retry={reload} />}
      {data === undefined && error === undefined && <p role="status">Loading …</p>}
      {data !== undefined && text !== undefined && (
        <ObjectEditor
          bucket={bucket}
          object={data}
          close={close}
          changed={changed}
          reload={reload}
          text={text}
          type={(typed) => setDraft({ version: data.version, text: typed })}
          key={data.version}
        />
      )}
      {question}
    </Dialog>
  )
}

/** What of an object is edited as JSON: all but what the server sets. */
function fieldsOf({ id, version, createdAt, updatedAt, ...fields }: Row): Fields {
  return fields
}

function editable(object: Row): string {
  return JSON.stringify(fieldsOf(object), null, 2)
}

interface ObjectEditorProps {
  readonly bucket: string
  readonly object: Row
  readonly close: () => void
  readonly changed: () => void
  readonly reload: () => void
  readonly text: string
  readonly type: (text: string) => void
}

function ObjectEditor({ bucket, object, close, changed, reload, text, type }: ObjectEditorProps) {
  const { client, classes, isReadOnly } = useAdmin()
  const { id, version, createdAt, updatedAt } = object
  const rest = fieldsOf(object)
  const rounded = roundedFields(rest, bucket, classes)
  const [isStale, setStale] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const save = useTask(async () => {
    const fields = jsonIn(text)
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      throw new InputError('An object is written { … }')
    }
    const change = changeOf(rest, fields as Fields, bucket, classes)
    const objects = client.bucket(bucket)
    try {
      if (change.kind === 'replace') await objects.replace({ ...fields, id, version })
      if (change.kind === 'update') await objects.update(id, { $set: change.values }, { ifMatch: version })
    } catch (error) {
      const isGone = error instanceof OutOfDateError || error instanceof NotFoundError
      setStale(isGone)
      throw isGone
        ? new Error('Somebody else has changed or deleted this object since you opened it.')
        : error
    }
    changed()
    close()
  })
  return (
    <>
      <p className="quiet">
        Version {version}
        {createdAt && `, created ${createdAt}`}
        {updatedAt && `, changed ${updatedAt}`}
      </p>
      {rounded.length > 0 && (
        <p className="quiet">
          {rounded.join(', ')}: integers beyond 2^53 are shown rounded, and stay as they are unless you change
          them.
        </p>
      )}
      <label className="stack">
        JSON
        <textarea
          className="code"
          rows={16}
          value={text}
          spellCheck={false}
          readOnly={isReadOnly}
          onChange={(event) => type(event.target.value)}
        />
      </label>
      <Problem text={save.problem} />
      <footer>
        {text === editable(object) && (
          <a className="button" href={hrefOf('explain', bucket, keyIn(id))}>
            Explain permissions
          </a>
        )}
        {isStale && (
          <button type="button" className="button" onClick={reload}>
            Load the newest state
          </button>
        )}
        {!isReadOnly && (
          <>
            <button type="button" className="button danger" onClick={() => setDeleting(true)}>
              Delete
            </button>
            <button
              type="button"
              className="button primary"
              disabled={save.isBusy}
              onClick={() => void save.run()}
            >
              Save
            </button>
          </>
        )}
      </footer>
      {isDeleting && (
        <DeleteDialog
          bucket={bucket}
          objects={new Map([[id, version]])}
          close={() => setDeleting(false)}
          settled={({ gone }) => {
            changed()
            if (gone.length > 0) close()
          }}
        />
      )}
    </>
  )
}
