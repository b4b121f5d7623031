import { useEffect, useId, useRef, type ReactNode, type SyntheticEvent } from 'react'

interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly children: ReactNode
}

/**
A modal window: focus stays in it, Escape closes it, and focus returns to the element that had it. Focus begins at what is
marked with `data-first`. If the former element is removed meanwhile, focus goes to the dialog or to the part of the page around.
*/
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    const around = dialog.current?.parentElement?.closest<HTMLElement>('dialog, [tabindex="-1"]')
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
      else (around?.querySelector<HTMLElement>('[data-first]') ?? around)?.focus({ preventScroll: true })
    }
  }, [])
  const ask = (event: SyntheticEvent<HTMLDialogElement>) => {
    // React tells the dialogs around one, too, that it is to be closed
    if (event.target !== event.currentTarget || !event.cancelable) return
    event.preventDefault()
    close()
  }
  /** A browser closes a dialog by itself when Escape is pressed again and nothing else was; whether it closes is for `close` to say. */
  const reopen = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget) return
    event.currentTarget.showModal()
    close()
  }
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={ask} onClose={reopen}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="button small" onClick={close}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  )
}
