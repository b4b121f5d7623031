import { useState, type KeyboardEvent, type RefObject } from 'react'
import { moved } from './choice'
import { accepted, completionAt, type Completion } from './filterCompletion'
import type { FilterFields } from './filterFields'

/** A list of candidates that is open, and which of them Enter takes; negative for none. */
interface Choice {
  readonly completion: Completion
  readonly active: number
}

export interface CompletionState {
  readonly choice: Choice | undefined
  readonly activate: (active: number) => void
  readonly accept: (index: number) => void
  /** To be called when something was typed. */
  readonly typed: () => void
  readonly close: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** Keys that take the cursor to where the list is not about. */
const LEAVING = ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']

/** What completes the filter in a text field, and how it is chosen. */
export function useCompletion(
  field: RefObject<HTMLTextAreaElement | null>,
  fields: FilterFields,
): CompletionState {
  const [choice, setChoice] = useState<Choice>()
  const close = () => setChoice(undefined)
  const open = () => {
    const area = field.current
    const hasRange = area === null || area.selectionStart !== area.selectionEnd
    const completion = hasRange ? undefined : completionAt(area.value, area.selectionStart, fields)
    // as long as nothing is typed, Enter and Tab are what they always are
    setChoice(completion && { completion, active: completion.typed === '' ? -1 : 0 })
  }
  const activate = (active: number) => setChoice(choice && { ...choice, active })
  const accept = (index: number) => {
    const area = field.current
    const candidate = choice?.completion.candidates[index]
    if (area === null || choice === undefined || candidate === undefined) return
    const { from, to, insert, cursor } = accepted(choice.completion, candidate)
    area.setSelectionRange(from, to)
    // unlike setting the value, this can be undone
    document.execCommand('insertText', false, insert)
    area.setSelectionRange(cursor, cursor)
    open()
  }
  const typed = () => (field.current?.value.trim() === '' ? close() : open())
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault()
      return open()
    }
    if (choice === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    const { completion, active } = choice
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      close()
    } else if (LEAVING.includes(event.key)) {
      close()
    } else if (event.shiftKey) {
      return
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      activate(moved(active, event.key === 'ArrowDown' ? 1 : -1, completion.candidates.length))
    } else if ((event.key === 'Enter' || event.key === 'Tab') && active >= 0) {
      event.preventDefault()
      accept(active)
    }
  }
  return { choice, activate, accept, typed, close, onKeyDown }
}
