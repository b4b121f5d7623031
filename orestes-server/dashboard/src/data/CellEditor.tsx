import { useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { editableText, withLineEndsOf } from '../server/values'
import type { Column } from './columns'
import { NotSet } from './ValueInput'

interface CellEditorProps {
  readonly column: Column
  readonly value: unknown
  /** As it was typed until now; null if it is unset. */
  readonly text: string | null
  readonly setText: (text: string | null) => void
  /** Stores what was typed, null for nothing. Returns what is wrong; empty if nothing is. */
  readonly save: (text: string | null) => Promise<string>
  readonly close: () => void
}

/** Edits a value in its cell: Enter or leaving it stores what was typed, Escape does not; Shift+Enter begins a line. */
export function CellEditor({ column, value, text, setText, save, close }: CellEditorProps) {
  const before = editableText(value, column.kind)
  const [problem, setProblem] = useState('')
  const isBusy = useRef(false)
  const problemId = useId()
  const store = async () => {
    if (isBusy.current) return
    const typed = typedIn(text, before, column)
    if (typed === before) return close()
    isBusy.current = true
    const wrong = await save(typed)
    isBusy.current = false
    if (wrong === '') close()
    else setProblem(wrong)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      void store()
    } else if (event.key === 'Escape') {
      isBusy.current = true
      close()
    }
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) void store()
  }
  const common = {
    value: text ?? '',
    'aria-label': column.path,
    'aria-invalid': problem !== '',
    'aria-describedby': problemId,
    autoFocus: true,
  }
  return (
    <span className="cell-editor" onKeyDown={onKeyDown} onBlur={onBlur}>
      {column.kind === 'boolean' ? (
        <select {...common} onChange={(event) => setText(event.target.value)}>
          <option value="">not set</option>
          <option>true</option>
          <option>false</option>
        </select>
      ) : column.kind === 'text' ? (
        <>
          <textarea
            {...common}
            className="prose"
            rows={Math.min(linesIn(text), MOST_LINES)}
            onChange={(event) => setText(event.target.value)}
          />
          <NotSet value={text} change={setText} />
        </>
      ) : (
        <input {...common} type="text" onChange={(event) => setText(event.target.value)} />
      )}
      <span id={problemId} role="alert" className="cell-problem">
        {problem}
      </span>
    </span>
  )
}

/** Only a text can be there and be empty. */
function typedIn(text: string | null, before: string | null, { kind }: Column): string | null {
  if (kind !== 'text') {
    return text || null
  }
  return text === null ? null : withLineEndsOf(before ?? '', text)
}

const MOST_LINES = 8

function linesIn(text: string | null): number {
  return (text ?? '').split('\n').length
}
