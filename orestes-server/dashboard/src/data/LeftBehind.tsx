import { keyIn } from '../server/values'
import type { Editing } from './useGridKeys'

interface LeftBehindProps {
  readonly editing: Editing
  /** The address of the object. */
  readonly href: string
  readonly dismiss: () => void
}

/** Shows what was typed into an object that is not in the table any more, as somebody else changed or deleted it. */
export function LeftBehind({ editing: { row, path, text }, href, dismiss }: LeftBehindProps) {
  return (
    <div className="failure" role="alert">
      <p>
        <a href={href}>{keyIn(row.id)}</a> has left the table while you edited {path}. Not stored:{' '}
        <q>{text ?? 'not set'}</q>
      </p>
      <button type="button" className="button small" onClick={dismiss}>
        Dismiss
      </button>
    </div>
  )
}
