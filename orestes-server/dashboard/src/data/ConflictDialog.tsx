import { useTask } from '../app/useTask'
import { formatValue, keyIn } from '../server/values'
import { Dialog } from '../ui/Dialog'
import { Problem } from '../ui/Problem'
import type { Conflict } from './useCellEdits'

interface ConflictDialogProps {
  readonly conflict: Conflict
  readonly close: () => void
}

/** Asks whose value is to stay when somebody else changed an object first. */
export function ConflictDialog({ conflict, close }: ConflictDialogProps) {
  const { column, theirs, mine, overwrite, keepTheirs } = conflict
  const task = useTask(overwrite)
  const keep = () => {
    keepTheirs()
    close()
  }
  return (
    <Dialog title="Somebody else was faster" close={keep}>
      <p>
        <strong>{keyIn(theirs.id)}</strong> was changed since you saw it. Nothing of what you typed is stored
        yet.
      </p>
      <dl className="facts">
        <dt>{column.path} now</dt>
        <dd>{formatValue(theirs[column.path], column.kind) || 'not set'}</dd>
        <dt>You typed</dt>
        <dd>{formatValue(mine, column.kind) || 'nothing'}</dd>
      </dl>
      <Problem text={task.problem} />
      <footer>
        <button type="button" className="button" onClick={keep}>
          Keep theirs
        </button>
        <button
          type="button"
          className="button primary"
          disabled={task.isBusy}
          onClick={() => void task.run()}
        >
          Store mine
        </button>
      </footer>
    </Dialog>
  )
}
