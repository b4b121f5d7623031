import type { Query } from '@orestes/sdk'
import { useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import { hrefOfObject, type View } from '../app/route'
import { useLiveLimit } from '../app/useLiveLimit'
import { counted } from '../server/quantities'
import { Failure } from '../ui/Failure'
import type { Column } from './columns'
import { ConflictDialog } from './ConflictDialog'
import { LeftBehind } from './LeftBehind'
import { ObjectGrid } from './ObjectGrid'
import { ReferencePreviews, usePreviews } from './ReferencePreviews'
import type { Row, RowSource } from './rows'
import { following, leftOut, updated, type Selection } from './selection'
import { useCellEdits } from './useCellEdits'
import type { Editing } from './useGridKeys'
import { useLiveRows, usePagedRows } from './useRows'

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
  const summary = total === undefined ? 'Counting …' : counted(total, 'object')
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

/** The first objects of the query, as many as the server allows, and every change of them. */
export function LiveTable(props: TableProps) {
  const { data: limit, error, reload } = useLiveLimit()
  if (error !== undefined) {
    return <Failure error={error} retry={reload} />
  }
  return limit === undefined ? <Summary text="Connecting …" /> : <LimitedTable {...props} limit={limit} />
}

function LimitedTable({ limit, ...props }: TableProps & { readonly limit: number }) {
  const rows = useLiveRows(props.query, limit)
  const { total, isConnected, list } = rows
  const { setSelected } = props
  useEffect(() => {
    if (list !== undefined) setSelected((before) => following(before, list))
  }, [list, setSelected])
  const shown = total === limit ? `the first ${counted(limit, 'object')}` : counted(total ?? 0, 'object')
  const summary = isConnected && total !== undefined ? `Live: ${shown}` : 'Connecting …'
  return <Table {...props} source={rows} summary={summary} wrote={() => {}} retry={rows.retry} />
}

interface SourcedTableProps extends TableProps {
  readonly source: RowSource
  /** How many objects there are, in words. */
  readonly summary: string
  readonly wrote: (row: Row) => void
  readonly retry: () => void
}

function Table(props: SourcedTableProps) {
  const { bucket, source, summary, wrote, retry, writes, isFiltered, create, view, selected } = props
  /** Outlives the table, which goes with its last row. */
  const [editing, setEditing] = useState<Editing>()
  const isLeftBehind = editing !== undefined && source.indexOf(editing.row.id) === undefined
  const previews = usePreviews(writes)
  const edits = useCellEdits(bucket, (row) => {
    previews.forget()
    wrote(row)
  })
  return (
    <>
      <Summary text={`${summary}${selectedIn(selected)}`} />
      {source.error !== undefined && <Failure error={source.error} retry={retry} />}
      {isLeftBehind && (
        <LeftBehind
          editing={editing}
          href={hrefOfObject(editing.row.id, bucket, view)}
          dismiss={() => setEditing(undefined)}
        />
      )}
      {source.total === 0 ? (
        <NoObjects isFiltered={isFiltered} {...(create && { create })} />
      ) : (
        <ReferencePreviews previews={previews}>
          <ObjectGrid {...props} edits={edits} editing={editing} setEditing={setEditing} />
        </ReferencePreviews>
      )}
      {edits.conflict && <ConflictDialog conflict={edits.conflict} close={edits.dismissConflict} />}
    </>
  )
}

function Summary({ text }: { readonly text: string }) {
  return (
    <p className="summary quiet" role="status">
      {text}
    </p>
  )
}

/** What is selected, where it is more than the rows that somebody has chosen. */
function selectedIn(selected: Selection): string {
  if (!selected.isAll) return ''
  const left = leftOut(selected)
  return left === 0 ? ', all selected' : `, all but ${left} selected`
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
