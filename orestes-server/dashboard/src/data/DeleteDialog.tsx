import { useState } from 'react'
import { useAdmin } from '../app/session'
import { keyIn } from '../server/values'
import { Confirm } from '../ui/Confirm'
import { deleteAll, type Deletion } from './deletion'
import type { Versions } from './selection'

interface DeleteDialogProps {
  readonly bucket: string
  /** What is asked about is what is selected when the dialog opens. */
  readonly objects: Versions
  readonly close: () => void
  /** Is told whenever something may have been deleted. */
  readonly settled: (deletion: Deletion) => void
}

const NAMED = 5

/** Deletes several objects, after having asked; closing it stops the deletion. */
export function DeleteDialog({ bucket, objects, close, settled }: DeleteDialogProps) {
  const { client } = useAdmin()
  const [asked, setAsked] = useState(objects)
  const confirm = async (signal: AbortSignal) => {
    const deletion = await deleteAll(client.bucket(bucket), asked, signal)
    settled(deletion)
    if (signal.aborted) return
    if (deletion.problem === undefined) return close()
    setAsked(new Map([...asked].filter(([id]) => !deletion.gone.includes(id))))
    throw new Error(deletion.problem)
  }
  const ids = [...asked.keys()]
  const what = ids.length === 1 ? '1 object' : `${ids.length} objects`
  return (
    <Confirm title={`Delete ${what}?`} action={`Delete ${what}`} confirm={confirm} close={close}>
      <p>
        {ids.slice(0, NAMED).map(keyIn).join(', ')}
        {ids.length > NAMED && ` and ${ids.length - NAMED} more`}. This cannot be undone.
      </p>
    </Confirm>
  )
}
