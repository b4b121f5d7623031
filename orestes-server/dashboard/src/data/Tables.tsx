import type { Query } from '@orestes/sdk'
import { useEffect, useRef, type Dispatch, type SetStateAction } from 'react'
import type { View } from '../app/route'
import { Failure } from '../ui/Failure'
import type { Column } from './columns'
import { ConflictDialog } from './ConflictDialog'
import { ObjectGrid } from './ObjectGrid'
import { ReferencePreviews, usePreviews } from './ReferencePreviews'
import type { Row, RowSource } from './rows'
import { following, updated, type Selection } from './selection'
import { useCellEdits } from './useCellEdits'
import { LIVE_LIMIT, useLiveRows, usePagedRows } from './useRows'

export interface TableProps {
  readonly bucket: string
  readonly query: Query<{ [field: string]: unknown }>
  readonly columns: readonly Column[]
  readonly view: View
  readonly setSort: (sort: string) => void
  readonly selected: Selection
  readonly setSelected: Dispatch<SetStateAction<Selection>>
  /** Changes when something was written elsewhere than in the table. */
  readonly writes: number
  readonly isFiltered: boolean
  /** Absent where nothing can be made. */
  readonly create?: () => void
}

/** All objects of the query, loaded as they are looked at. */
export function PagedTable(props: TableProps) {
  const rows = usePagedRows(props.query)
  const { writes, setSelected } = props
  const before = useRef(writes)
  useEffect(() => {
    if (before.current !== writes) rows.refresh()
    before.current = writes
  }, [rows, writes])
  const { total } = rows
  const summary = total === undefined ? 'Counting …' : counted(total)
  return (
    <Table
      {...props}
      source={rows}
      summary={summary}
      wrote={(row) => {
        rows.put(row)
        setSelected((before) => updated(before, row))
      }}
      retry={() => rows.refresh()}
    />
  )
}

/** The first objects of the query, and every change of them. */
export function LiveTable(props: TableProps) {
  const rows = useLiveRows(props.query)
  const { total, isConnected, list } = rows
  const { setSelected } = props
  useEffect(() => {
    if (list !== undefined) setSelected((before) => following(before, list))
  }, [list, setSelected])
  const shown = total === LIVE_LIMIT ? `the first ${LIVE_LIMIT} objects` : counted(total ?? 0)
  const summary = isConnected && total !== undefined ? `Live: ${shown}` : 'Connecting …'
  return <Table {...props} source={rows} summary={summary} wrote={() => {}} />
}

interface SourcedTableProps extends TableProps {
  readonly source: RowSource
  /** How many objects there are, in words. */
  readonly summary: string
  readonly wrote: (row: Row) => void
  readonly retry?: () => void
}

function Table(props: SourcedTableProps) {
  const { bucket, source, summary, wrote, retry, writes, isFiltered, create } = props
  const previews = usePreviews(writes)
  const edits = useCellEdits(bucket, (row) => {
    previews.forget()
    wrote(row)
  })
  return (
    <>
      <p className="summary quiet" role="status">
        {summary}
      </p>
      {source.error !== undefined && <Failure error={source.error} {...(retry && { retry })} />}
      {source.total === 0 ? (
        <NoObjects isFiltered={isFiltered} {...(create && { create })} />
      ) : (
        <ReferencePreviews previews={previews}>
          <ObjectGrid {...props} edits={edits} />
        </ReferencePreviews>
      )}
      {edits.conflict && <ConflictDialog conflict={edits.conflict} close={edits.dismissConflict} />}
    </>
  )
}

function NoObjects({ isFiltered, create }: Pick<TableProps, 'isFiltered' | 'create'>) {
  return (
    <section className="empty">
      <h2>{isFiltered ? 'Nothing matches the filter' : 'No objects yet'}</h2>
      <p className="quiet">
        {isFiltered
          ? 'Change the filter, or show all objects.'
          : create === undefined
            ? 'There is none, or none that may be read.'
            : 'Make the first one here, or write it from an application: it shows up at once with “Live”.'}
      </p>
      {!isFiltered && create && (
        <button type="button" className="button primary" onClick={create}>
          Make the first object
        </button>
      )}
    </section>
  )
}

function counted(total: number): string {
  return total === 1 ? '1 object' : `${total.toLocaleString('en')} objects`
}
