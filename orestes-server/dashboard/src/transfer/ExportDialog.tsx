import type { Filter } from '@orestes/sdk'
import { useCallback, useState } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { counted } from '../server/quantities'
import { Dialog } from '../ui/Dialog'
import { Problem } from '../ui/Problem'
import { exportClass, type Exported, type ExportFilter, type Format } from './exporting'
import { exportedFields } from './fields'
import { openSink } from './sink'
import { useTransfer } from './useTransfer'

interface ExportDialogProps {
  readonly bucket: string
  /** That of the table; undefined if it has none. */
  readonly filter: ExportFilter | undefined
  readonly close: () => void
}

/** Writes the objects of a class to a file, all or those that match the filter of the table. Closing it while it writes cancels that first. */
export function ExportDialog({ bucket, filter, close }: ExportDialogProps) {
  const { client, classes } = useAdmin()
  const [format, setFormat] = useState<Format>('json')
  const [isFiltered, setFiltered] = useState(filter !== undefined)
  const wanted = isFiltered ? filter : undefined
  const count = useCallback(
    async (signal: AbortSignal) =>
      (
        await client
          .bucket(bucket)
          .find(wanted as Filter<object>)
          .count({ signal })
      ).data,
    [client, bucket, wanted],
  )
  const { data: total } = useLoaded(count)
  const transfer = useTransfer<Exported, []>(async (tell, signal) => {
    const sink = await openSink(`${bucket}.${format}`).catch((error: unknown) => {
      if (isDismissal(error)) transfer.cancel()
      throw error
    })
    const fields = exportedFields(bucket, classes)
    return exportClass({ client, bucket, filter: wanted, format, fields, sink, signal, tell })
  })
  const { isBusy, progress } = transfer
  return (
    <Dialog title={`Export ${bucket}`} close={isBusy ? transfer.cancel : close}>
      {filter === undefined ? (
        <p>All objects of the class.</p>
      ) : (
        <label className="check">
          <input
            type="checkbox"
            checked={isFiltered}
            disabled={isBusy}
            onChange={(event) => setFiltered(event.target.checked)}
          />
          Only what matches the filter of the table
        </label>
      )}
      <label className="stack">
        Format
        <select
          data-first
          value={format}
          disabled={isBusy}
          onChange={(event) => setFormat(event.target.value as Format)}
        >
          <option value="json">JSON, everything as the server has it</option>
          <option value="csv">CSV, for spreadsheets</option>
        </select>
      </label>
      {format === 'csv' && (
        <p className="quiet">
          A text that a spreadsheet would take for a formula gets an apostrophe before it; an import takes
          that away again.
        </p>
      )}
      {isBusy && (
        <p className="progress">
          <progress aria-label="Exported" max={total} value={shareOf(progress, total)} />
          {(progress?.objects ?? 0).toLocaleString('en')} objects
        </p>
      )}
      <p role="status">{isBusy ? '' : outcomeOf(transfer.isDone, transfer.isCancelled, progress)}</p>
      <Problem text={transfer.problem} />
      <footer>
        {isBusy ? (
          <button type="button" className="button" onClick={transfer.cancel}>
            Cancel
          </button>
        ) : (
          <button type="button" className="button primary" onClick={() => transfer.run()}>
            Export
          </button>
        )}
      </footer>
    </Dialog>
  )
}

/** Nobody is told that there is no file who has just said so. */
function isDismissal(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

function shareOf(progress: Exported | undefined, total: number | undefined): number | undefined {
  return total === undefined ? undefined : Math.min(progress?.objects ?? 0, total)
}

function outcomeOf(isDone: boolean, isCancelled: boolean, progress: Exported | undefined): string {
  if (isCancelled) {
    return 'Cancelled; there is no file.'
  }
  const { objects = 0 } = progress ?? {}
  return isDone ? `Exported ${counted(objects, 'object')}.` : ''
}
