import { useEffect, useMemo, useState } from 'react'
import { useAdmin } from '../app/session'
import { messageOf } from '../server/messages'
import { counted } from '../server/quantities'
import { Dialog } from '../ui/Dialog'
import { Problem } from '../ui/Problem'
import { DELIMITERS, type Delimiter } from './csv'
import { importedFields } from './fields'
import {
  formatOf,
  Import,
  MOST_PROBLEMS,
  previewOf,
  readerOf,
  type Existing,
  type Imported,
  type Understanding,
} from './importing'
import { Preview, type PreviewOf } from './Preview'
import type { BadRow } from './rowReaders'
import { useTransfer } from './useTransfer'

interface ImportDialogProps {
  readonly bucket: string
  readonly close: () => void
  /** Is told whenever something may have been stored. */
  readonly imported: () => void
}

/** Stores the objects of a file, after having shown how the first of them are understood. Closing it meanwhile cancels that first. */
export function ImportDialog({ bucket, close, imported }: ImportDialogProps) {
  const { client, classes } = useAdmin()
  const fields = useMemo(() => importedFields(bucket, classes), [bucket, classes])
  const [file, setFile] = useState<File>()
  const [delimiter, setDelimiter] = useState<Delimiter>()
  const [existing, setExisting] = useState<Existing>('replace')
  const chosen = useMemo((): Understanding | undefined => {
    const format = file && formatOf(file.name)
    return file && format && { file, format, delimiter, existing }
  }, [file, delimiter, existing])
  const [preview, setPreview] = useState<PreviewOf>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    setPreview(undefined)
    setProblem(file && chosen === undefined ? 'The name of the file has to end with .json or .csv' : '')
    if (chosen === undefined) return undefined
    const abort = new AbortController()
    const reader = readerOf(chosen, bucket, fields)
    previewOf(chosen.file, reader, abort.signal).then(
      (rows) =>
        abort.signal.aborted || setPreview({ rows, leftOut: reader.leftOut, delimiter: reader.delimiter }),
      (error: unknown) => abort.signal.aborted || setProblem(messageOf(error)),
    )
    return () => abort.abort()
  }, [file, chosen, bucket, fields])
  /** There is nothing left to do with it. */
  const [finished, setFinished] = useState<Understanding>()
  const transfer = useTransfer<Imported, [Understanding]>(async (tell, signal, from) => {
    const reader = readerOf(from, bucket, fields)
    const options = { client, bucket, file: from.file, reader, existing: from.existing, signal, tell }
    const done = await new Import(options).run().finally(imported)
    setFinished(from)
    return done
  })
  const { isBusy, progress } = transfer
  return (
    <Dialog title={`Import into ${bucket}`} close={isBusy ? transfer.cancel : close}>
      <p>
        A JSON array of objects, or CSV whose first row names the fields. Objects without an id are new; who
        imports the very same file again does not make them twice.
      </p>
      <label className="stack">
        File
        <input
          type="file"
          accept=".json,.csv"
          data-first
          disabled={isBusy}
          onChange={(event) => setFile(event.target.files?.[0])}
        />
      </label>
      <label className="stack">
        Objects whose id is there already
        <select
          value={existing}
          disabled={isBusy}
          onChange={(event) => setExisting(event.target.value as Existing)}
        >
          <option value="replace">Replace what is there</option>
          <option value="leave">Leave what is there</option>
          <option value="refuse">Refuse the row</option>
        </select>
      </label>
      {chosen?.format === 'csv' && (
        <label className="stack">
          Between values
          <select
            value={delimiter ?? ''}
            disabled={isBusy}
            onChange={(event) => setDelimiter((event.target.value || undefined) as Delimiter | undefined)}
          >
            <option value="">{detected(delimiter === undefined ? preview?.delimiter : undefined)}</option>
            {Array.from(DELIMITERS, ([sign, name]) => (
              <option key={sign} value={sign}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
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

/** What the file tells by its first row. */
function detected(delimiter: Delimiter | undefined): string {
  const name = delimiter && DELIMITERS.get(delimiter)
  return name === undefined ? 'as the first row has it' : `as the first row has it: ${name}`
}

function outcomeOf(isDone: boolean, isCancelled: boolean, progress: Imported | undefined): string {
  if (progress === undefined) {
    return isCancelled ? 'Cancelled.' : ''
  }
  const { stored, left } = progress
  const what = counted(stored, 'object')
  const there = left === 0 ? '' : ` ${left.toLocaleString('en')} were there already, and stay as they are.`
  return isDone ? `Imported ${what}.${there}` : `Stopped: ${what} were imported before, and stay.`
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
