import { useState, type ReactNode } from 'react'
import { Confirm } from './Confirm'

/** A way to close a dialog in which something may have been typed: asks before that is lost. */
export interface Discarding {
  readonly leave: () => void
  /** Belongs into the dialog. */
  readonly question: ReactNode
}

export function useDiscarding(isDirty: boolean, close: () => void): Discarding {
  const [isAsking, setAsking] = useState(false)
  const confirm = async () => close()
  return {
    leave: () => (isDirty ? setAsking(true) : close()),
    question: isAsking && (
      <Confirm
        title="Discard what you typed?"
        action="Discard"
        confirm={confirm}
        close={() => setAsking(false)}
      >
        <p>It is not stored yet.</p>
      </Confirm>
    ),
  }
}
