import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { Problem } from './Problem'

/** Loads the classes anew, which others may have changed. */
export function RefreshClasses() {
  const { reloadClasses } = useAdmin()
  const refresh = useTask(reloadClasses)
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={refresh.isBusy}
        onClick={() => void refresh.run()}
      >
        Refresh
      </button>
      <Problem text={refresh.problem} />
    </>
  )
}
