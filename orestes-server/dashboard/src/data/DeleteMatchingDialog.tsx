import { useCallback, useMemo, useState } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { counted } from '../server/quantities'
import { useTransfer } from '../transfer/useTransfer'
import { Dialog } from '../ui/Dialog'
import { Failure } from '../ui/Failure'
import { Problem } from '../ui/Problem'
import {
  deleteMatching,
  matchingNow,
  type MatchDeletion,
  type MatchFilter,
  type Matching,
} from './matchDeletion'

interface DeleteMatchingDialogProps {
  readonly bucket: string
  /** That of the table; undefined if it has none. */
  readonly filter: MatchFilter | undefined
  /** Ids of objects that stay. */
  readonly except: ReadonlySet<string>
  readonly close: () => void
  /** Is told whenever something may have been deleted. */
  readonly settled: () => void
}

/** Deletes all that match a filter, after having said how many that are. Closing it while it deletes stops that first. */
export function DeleteMatchingDialog({ bucket, close, settled, ...selected }: DeleteMatchingDialogProps) {
  const { client } = useAdmin()
  // what is asked about is what is selected when the dialog opens
  const [{ filter, except }] = useState(selected)
  const wanted = useMemo(() => wantedOf(filter, except), [filter, except])
  const count = useCallback(
    (signal: AbortSignal) => matchingNow(client, bucket, wanted, signal),
    [client, bucket, wanted],
  )
  const { data: matching, error, reload } = useLoaded(count)
  const transfer = useTransfer<MatchDeletion, [Matching]>(async (tell, signal, asked) => {
    try {
      return await deleteMatching({ client, bucket, filter: wanted, matching: asked, signal, tell })
    } catch (error) {
      // who goes on is asked anew
      reload()
      throw error
    } finally {
      settled()
    }
  })
  const { isBusy, isDone, progress } = transfer
  const what = matching && counted(matching.count, 'object')
  return (
    <Dialog
      title={isDone ? 'Deleted' : what === undefined ? 'Delete all?' : `Delete ${what}?`}
      close={isBusy ? transfer.cancel : close}
    >
      {error !== undefined && <Failure error={error} retry={reload} />}
      {matching === undefined && error === undefined && <p role="status">Counting …</p>}
      {what !== undefined && !isDone && (
        <>
          <p>
            {filter === undefined ? `All objects of ${bucket}` : 'All that match the filter'}
            {except.size > 0 && `, but ${except.size} that you left out`}: {what}. This cannot be undone.
          </p>
          {filter !== undefined && <pre className="filter-text">{JSON.stringify(filter)}</pre>}
          <p className="quiet">What others add or change from now on stays.</p>
        </>
      )}
      {isBusy && (
        <p className="progress">
          <progress aria-label="Deleted" max={matching?.count ?? 1} value={progress?.gone ?? 0} />
          {counted(progress?.gone ?? 0, 'object')}
        </p>
      )}
      <p role="status">
        {matching && !isBusy && progress ? outcomeOf(isDone, progress, matching.count) : ''}
      </p>
      <Problem text={transfer.problem || refusedIn(progress)} />
      <footer>
        {!isBusy && !isDone && (
          <button type="button" className="button" data-first onClick={close}>
            Cancel
          </button>
        )}
        {/* one button, so that it keeps the focus */}
        <button
          type="button"
          className={`button ${isDone ? 'primary' : isBusy ? '' : 'danger'}`}
          disabled={!matching?.count}
          onClick={isBusy ? transfer.cancel : isDone ? close : () => matching && transfer.run(matching)}
        >
          {isBusy ? 'Stop' : isDone ? 'Done' : `Delete ${what ?? 'all'}`}
        </button>
      </footer>
    </Dialog>
  )
}

function wantedOf(filter: MatchFilter | undefined, except: ReadonlySet<string>): MatchFilter {
  const left = except.size === 0 ? [] : [{ id: { $nin: [...except] } }]
  const all = [...(filter === undefined ? [] : [filter]), ...left]
  return all.length === 0 ? {} : { $and: all }
}

function outcomeOf(isDone: boolean, { gone, refused }: MatchDeletion, count: number): string {
  if (!isDone) {
    return `Stopped: ${counted(gone, 'object')} were deleted before.`
  }
  const left = count - gone - refused
  return `Deleted ${counted(gone, 'object')}.${left > 0 ? ` Others have changed or deleted ${left.toLocaleString('en')} since they were counted.` : ''}`
}

function refusedIn(deletion: MatchDeletion | undefined): string {
  if (deletion === undefined || deletion.refused === 0) return ''
  return `The server does not delete ${counted(deletion.refused, 'object')}: ${deletion.reason}`
}
