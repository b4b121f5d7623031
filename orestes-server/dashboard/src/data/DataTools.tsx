import { PageHead } from '../ui/PageHead'
import { isEmpty, leftOut, type Selection } from './selection'

interface DataToolsProps {
  readonly bucket: string
  readonly selected: Selection
  readonly isFiltered: boolean
  readonly isReadOnly: boolean
  readonly isLive: boolean
  readonly setLive: (isLive: boolean) => void
  readonly isFiltering: boolean
  readonly setFiltering: (isFiltering: boolean) => void
  /** Whether the saved views are shown. */
  readonly isChoosing: boolean
  readonly setChoosing: (isChoosing: boolean) => void
  /** Whether the choice of columns is shown. */
  readonly isArranging: boolean
  readonly setArranging: (isArranging: boolean) => void
  readonly create: () => void
  /** Deletes what is selected. */
  readonly remove: () => void
  readonly refresh: () => void
  readonly exportAll: () => void
  readonly importFile: () => void
}

/** Heading of a class, and what can be done with its objects. */
export function DataTools(props: DataToolsProps) {
  const {
    bucket,
    selected,
    isFiltered,
    isLive,
    setLive,
    isFiltering,
    setFiltering,
    create,
    remove,
    refresh,
  } = props
  const { isReadOnly, isChoosing, setChoosing, isArranging, setArranging, exportAll, importFile } = props
  return (
    <PageHead title={bucket} windowTitle={`${bucket} · Data`}>
      <div className="actions" role="group" aria-label="Objects">
        {!isEmpty(selected) && !isReadOnly && (
          <button type="button" className="button small danger" onClick={remove}>
            {deletionOf(selected, isFiltered)}
          </button>
        )}
        <button
          type="button"
          className="button small"
          aria-pressed={isLive}
          onClick={() => setLive(!isLive)}
          title="Follow the objects as they change"
        >
          <span className="lamp" aria-hidden="true" />
          Live
        </button>
        <Opener title="Filter" isOpen={isFiltering} open={setFiltering} />
        <Opener title="Views" isOpen={isChoosing} open={setChoosing} />
        <Opener title="Columns" isOpen={isArranging} open={setArranging} />
        {!isLive && (
          <button type="button" className="button small" onClick={refresh}>
            Refresh
          </button>
        )}
        {!isReadOnly && (
          <>
            <button type="button" className="button small" onClick={exportAll}>
              Export
            </button>
            <button type="button" className="button small" onClick={importFile}>
              Import
            </button>
            <button type="button" className="button small primary" onClick={create}>
              New object
            </button>
          </>
        )}
      </div>
    </PageHead>
  )
}

function deletionOf(selected: Selection, isFiltered: boolean): string {
  if (!selected.isAll) {
    return `Delete ${selected.versions.size} selected`
  }
  const left = leftOut(selected)
  return `Delete all${left === 0 ? '' : ` but ${left}`}${isFiltered ? ' that match' : ''}`
}

interface OpenerProps {
  readonly title: string
  readonly isOpen: boolean
  readonly open: (isOpen: boolean) => void
}

/** Shows a panel below, or hides it. */
function Opener({ title, isOpen, open }: OpenerProps) {
  return (
    <button type="button" className="button small" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
      {title}
    </button>
  )
}
