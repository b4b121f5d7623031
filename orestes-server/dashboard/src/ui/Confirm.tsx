import { useEffect, useRef, type ReactNode } from 'react'
import { useTask } from '../app/useTask'
import { Dialog } from './Dialog'
import { Problem } from './Problem'

interface ConfirmProps {
  readonly title: string
  /** What the button that does it says. */
  readonly action: string
  /** Does it; what it throws is shown, and the dialog stays. The signal says that the dialog was closed meanwhile. */
  readonly confirm: (signal: AbortSignal) => Promise<void>
  readonly close: () => void
  readonly children: ReactNode
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, action, confirm, close, children }: ConfirmProps) {
  const closed = useRef(new AbortController())
  useEffect(() => () => closed.current.abort(), [])
  const task = useTask(() => confirm(closed.current.signal))
  return (
    <Dialog title={title} close={close}>
      {children}
      <Problem text={task.problem} />
      <footer>
        <button type="button" className="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          className="button danger"
          disabled={task.isBusy}
          onClick={() => void task.run()}
        >
          {action}
        </button>
      </footer>
    </Dialog>
  )
}
