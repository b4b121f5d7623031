import { useEffect, useMemo, useState } from 'react'
import { useAdmin } from '../app/session'
import { messageOf } from '../server/messages'
import { InputError } from '../server/values'
import { Dialog } from '../ui/Dialog'
import { Problem } from '../ui/Problem'
import type { Format } from './exporting'
import { importedFields } from './fields'
import { formatOf, Import, MOST_PROBLEMS, previewOf, readerOf, type Imported } from './importing'
import { Preview, type PreviewOf } from './Preview'
import type { BadRow } from './rowReaders'
import { useTransfer } from './useTransfer'

interface ImportDialogProps {
  readonly bucket: string
  readonly close: () => void
  /** Is told whenever something may have been stored. */
  readonly imported: () => void
}

/** A file, and what it holds. */
interface Chosen {
  readonly file: File
  readonly format: Format
}

/** Stores the objects of a file, after having shown how the first of them are understood. Closing it meanwhile cancels that first. */
export function ImportDialog({ bucket, close, imported }: ImportDialogProps) {
  const { client, classes } = useAdmin()
  const fields = useMemo(() => importedFields(bucket, classes), [bucket, classes])
  const [chosen, setChosen] = useState<Chosen>()
  const [preview, setPreview] = useState<PreviewOf>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    setPreview(undefined)
    if (chosen === undefined) return undefined
    const abort = new AbortController()
    const reader = readerOf(chosen.format, bucket, fields, () => '')
    previewOf(chosen.file, reader, abort.signal).then(
      (rows) => abort.signal.aborted || setPreview({ rows, leftOut: reader.leftOut }),
      (error: unknown) => abort.signal.aborted || setProblem(messageOf(error)),
    )
    return () => abort.abort()
  }, [chosen, bucket, fields])
  // what is new in it would be stored a second time
  const [finished, setFinished] = useState<Chosen>()
  const transfer = useTransfer<Imported, [Chosen]>(async (tell, signal, from) => {
    const reader = readerOf(from.format, bucket, fields)
    const done = await new Import({ client, bucket, file: from.file, reader, signal, tell })
      .run()
      .finally(imported)
    setFinished(from)
    return done
  })
  const choose = (file: File | undefined) => {
    setProblem('')
    const format = file && formatOf(file.name)
    setChosen(file && format && { file, format })
    if (file !== undefined && format === undefined) {
      setProblem(new InputError('The name of the file has to end with .json or .csv').message)
    }
  }
  const { isBusy, progress } = transfer
  return (
    <Dialog title={`Import into ${bucket}`} close={isBusy ? transfer.cancel : close}>
      <p>
        A JSON array of objects, or CSV whose first row names the fields. Objects with the id of one that is
        there replace it; those without an id are new.
      </p>
      <label className="stack">
        File
        <input
          type="file"
          accept=".json,.csv"
          data-first
          disabled={isBusy}
          onChange={(event) => choose(event.target.files?.[0])}
        />
      </label>
      <Problem text={problem} />
      {preview && <Preview preview={preview} />}
      {chosen && isBusy && (
        <p className="progress">
          <progress aria-label="Imported" max={chosen.file.size} value={progress?.bytes ?? 0} />
          {(progress?.stored ?? 0).toLocaleString('en')} objects
        </p>
      )}
      <p role="status">{isBusy ? '' : outcomeOf(transfer.isDone, transfer.isCancelled, progress)}</p>
      <Problem text={transfer.problem} />
      {progress !== undefined && progress.refused > 0 && (
        <Refused count={progress.refused} problems={progress.problems} />
      )}
      <footer>
        {isBusy ? (
          <button type="button" className="button" onClick={transfer.cancel}>
            Cancel
          </button>
        ) : (
          <button
            type="button"
            className="button primary"
            disabled={chosen === undefined || preview === undefined || chosen === finished}
            onClick={() => chosen && transfer.run(chosen)}
          >
            Import
          </button>
        )}
      </footer>
    </Dialog>
  )
}

function outcomeOf(isDone: boolean, isCancelled: boolean, progress: Imported | undefined): string {
  if (progress === undefined) {
    return isCancelled ? 'Cancelled.' : ''
  }
  const { stored } = progress
  const what = stored === 1 ? '1 object' : `${stored.toLocaleString('en')} objects`
  return isDone ? `Imported ${what}.` : `Stopped: ${what} were imported before, and stay.`
}

interface RefusedProps {
  readonly count: number
  readonly problems: readonly BadRow[]
}

function Refused({ count, problems }: RefusedProps) {
  return (
    <section className="refused" aria-label="Refused rows">
      <p className="problem">
        {count === 1 ? '1 row was refused' : `${count.toLocaleString('en')} rows were refused`}
        {count > MOST_PROBLEMS && `; these are the first ${MOST_PROBLEMS}`}:
      </p>
      <ul tabIndex={0} aria-label="Why">
        {problems.map(({ number, problem }) => (
          <li key={number}>
            Row {number}: {problem}
          </li>
        ))}
      </ul>
    </section>
  )
}
