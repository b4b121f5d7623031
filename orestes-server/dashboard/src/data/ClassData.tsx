import { useEffect, useMemo, useState } from 'react'
import { go, hrefOf, type View } from '../app/route'
import { useAdmin } from '../app/session'
import { isMadeOnUsersPage } from '../server/schema'
import { ExportDialog } from '../transfer/ExportDialog'
import { ImportDialog } from '../transfer/ImportDialog'
import { ObjectDialog } from './ObjectDialog'
import { chosenIn, columnsOf } from './columns'
import { ColumnsPanel } from './ColumnsPanel'
import { CreateDialog } from './CreateDialog'
import { DataTools } from './DataTools'
import { DeleteDialog } from './DeleteDialog'
import { DeleteMatchingDialog } from './DeleteMatchingDialog'
import { FilterPanel } from './FilterPanel'
import { LiveTable, PagedTable } from './Tables'
import { queryOf } from './query'
import { SavedViewsPanel } from './SavedViewsPanel'
import { NOTHING_SELECTED, without, type Selection } from './selection'

interface ClassDataProps {
  readonly bucket: string
  readonly view: View
  /** Key of the object that is open. */
  readonly openKey: string | undefined
}

/** The objects of one class as a table, with everything that can be done with them. */
export function ClassData({ bucket, view, openKey }: ClassDataProps) {
  const { client, classes, reloadClasses, isReadOnly } = useAdmin()
  const { filter, sort } = view
  const [isArranging, setArranging] = useState(false)
  const columns = useMemo(() => {
    const all = columnsOf(bucket, classes)
    return isReadOnly ? all.map((column) => ({ ...column, isEditable: false })) : all
  }, [bucket, classes, isReadOnly])
  const shown = useMemo(() => chosenIn(view.columns, columns), [view.columns, columns])
  const asked = useMemo(() => queryOf(client, bucket, filter, sort), [client, bucket, filter, sort])
  const [isLive, setLive] = useState(false)
  const [isFiltering, setFiltering] = useState(filter !== '')
  const [isChoosing, setChoosing] = useState(false)
  const [selected, setSelected] = useState<Selection>(NOTHING_SELECTED)
  // what a filter has taken out of sight must not be deleted with the rest
  useEffect(() => setSelected(NOTHING_SELECTED), [filter])
  const [dialog, setDialog] = useState<'create' | 'delete' | 'deleteAll' | 'export' | 'import'>()
  /** Counts what was done elsewhere than in the table, which then loads anew. */
  const [writes, setWrites] = useState(0)
  const wrote = () => setWrites((n) => n + 1)
  const refresh = () => {
    wrote()
    // a failure is that of the table, too, which tells of it
    reloadClasses().catch(() => {})
  }
  const create = () => (isMadeOnUsersPage(bucket) ? go(hrefOf('users')) : setDialog('create'))
  const look = (next: Partial<View>) => go(hrefOf('data', bucket, undefined, { ...view, ...next }))
  const Table = isLive ? LiveTable : PagedTable
  return (
    <>
      <DataTools
        bucket={bucket}
        selected={selected}
        isFiltered={filter !== ''}
        isReadOnly={isReadOnly}
        isLive={isLive}
        setLive={setLive}
        isFiltering={isFiltering}
        setFiltering={setFiltering}
        isChoosing={isChoosing}
        setChoosing={setChoosing}
        isArranging={isArranging}
        setArranging={setArranging}
        create={create}
        remove={() => setDialog(selected.isAll ? 'deleteAll' : 'delete')}
        refresh={refresh}
        exportAll={() => setDialog('export')}
        importFile={() => setDialog('import')}
      />
      {isChoosing && (
        <SavedViewsPanel
          bucket={bucket}
          columns={columns}
          view={view}
          isLive={isLive}
          opened={(saved) => {
            setLive(saved.isLive)
            if (saved.filter !== '') setFiltering(true)
          }}
        />
      )}
      {isArranging && <ColumnsPanel all={columns} shown={shown} choose={(next) => look({ columns: next })} />}
      {isFiltering && (
        <FilterPanel
          bucket={bucket}
          columns={columns}
          filter={filter}
          apply={(next) => look({ filter: next })}
        />
      )}
      {'error' in asked ? (
        <p className="failure" role="alert">
          {asked.error.message}
        </p>
      ) : (
        <Table
          bucket={bucket}
          query={asked.query}
          columns={shown}
          view={view}
          setSort={(next) => look({ sort: next })}
          selected={selected}
          setSelected={setSelected}
          writes={writes}
          isFiltered={filter !== ''}
          {...(!isReadOnly && { create })}
        />
      )}
      {dialog === 'create' && (
        <CreateDialog bucket={bucket} columns={columns} close={() => setDialog(undefined)} created={wrote} />
      )}
      {dialog === 'deleteAll' && !('error' in asked) && (
        <DeleteMatchingDialog
          bucket={bucket}
          filter={asked.filter}
          except={selected.isAll ? selected.except : new Set()}
          close={() => setDialog(undefined)}
          settled={() => {
            setSelected(NOTHING_SELECTED)
            wrote()
          }}
        />
      )}
      {dialog === 'delete' && !selected.isAll && (
        <DeleteDialog
          bucket={bucket}
          objects={selected.versions}
          close={() => setDialog(undefined)}
          settled={({ gone, changed }) => {
            setSelected((before) => without(before, [...gone, ...changed]))
            wrote()
          }}
        />
      )}
      {dialog === 'export' && (
        <ExportDialog
          bucket={bucket}
          filter={'error' in asked ? undefined : asked.filter}
          close={() => setDialog(undefined)}
        />
      )}
      {dialog === 'import' && (
        <ImportDialog bucket={bucket} close={() => setDialog(undefined)} imported={wrote} />
      )}
      {openKey !== undefined && (
        <ObjectDialog
          bucket={bucket}
          objectKey={openKey}
          close={() => look({})}
          changed={wrote}
          key={openKey}
        />
      )}
    </>
  )
}
