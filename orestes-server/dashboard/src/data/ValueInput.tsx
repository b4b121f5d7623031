import type { KeyboardEvent } from 'react'
import type { Kind } from '../server/values'

interface ValueInputProps {
  readonly id: string
  readonly kind: Kind
  readonly type: string
  /** As it was typed; null if it is unset. */
  readonly value: string | null
  readonly change: (text: string | null) => void
}

const HINTS: { readonly [K in Kind]?: string } = {
  dateTime: '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  time: '09:30:00',
  json: '["JSON"]',
}

/** Where a value of a field is typed in, by its kind; what was typed is text until it is stored. */
export function ValueInput({ id, kind, type, value, change }: ValueInputProps) {
  if (kind === 'boolean') {
    return (
      <select id={id} value={value ?? ''} onChange={(event) => change(event.target.value)}>
        <option value="">not set</option>
        <option>true</option>
        <option>false</option>
      </select>
    )
  }
  if (kind === 'text') {
    return (
      <>
        <textarea
          id={id}
          className="prose"
          rows={1}
          value={value ?? ''}
          onKeyDown={submitByEnter}
          onChange={(event) => change(event.target.value)}
        />
        <NotSet value={value} change={change} />
      </>
    )
  }
  if (kind === 'json') {
    return (
      <textarea
        id={id}
        rows={2}
        value={value ?? ''}
        spellCheck={false}
        placeholder={HINTS.json}
        onChange={(event) => change(event.target.value)}
      />
    )
  }
  const isNumber = kind === 'integer' || kind === 'number'
  return (
    <input
      id={id}
      type="text"
      inputMode={isNumber ? 'decimal' : 'text'}
      value={value ?? ''}
      placeholder={kind === 'reference' ? `key of ${type}` : HINTS[kind]}
      onChange={(event) => change(event.target.value)}
    />
  )
}

/** Tells an empty text from none, which look the same. */
export function NotSet({ value, change }: Pick<ValueInputProps, 'value' | 'change'>) {
  return (
    <label className="not-set">
      <input
        type="checkbox"
        checked={value === null}
        onChange={(event) => change(event.target.checked ? null : '')}
      />
      not set
    </label>
  )
}

/** As in an input of one line; Shift+Enter begins a line. */
function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
}
