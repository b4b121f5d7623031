import { PageHead } from '../ui/PageHead'

interface DataToolsProps {
  readonly bucket: string
  /** How many objects are selected. */
  readonly selected: number
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
  const { bucket, selected, isLive, setLive, isFiltering, setFiltering, create, remove, refresh } = props
  const { isReadOnly, isChoosing, setChoosing, isArranging, setArranging, exportAll, importFile } = props
  return (
    <PageHead title={bucket} windowTitle={`${bucket} · Data`}>
      <div className="actions" role="group" aria-label="Objects">
        {selected > 0 && !isReadOnly && (
          <button type="button" className="button small danger" onClick={remove}>
            Delete {selected} selected
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
