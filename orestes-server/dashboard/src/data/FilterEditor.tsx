import type { EditorView } from '@codemirror/view'
import { useLayoutEffect, useRef } from 'react'
import type { FilterFields } from './filterFields'
import { suggestions } from './filterSuggestions'
import { openEditor, setAttributes, setText } from './jsonEditor'

interface FilterEditorProps {
  readonly label: string
  readonly fields: FilterFields
  readonly value: string
  readonly change: (value: string) => void
  readonly isInvalid: boolean
}

/** The text of a filter, completed while it is typed. */
export function FilterEditor({ label, fields, value, change, isInvalid }: FilterEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ value, fields, change })
  useLayoutEffect(() => {
    latest.current = { value, fields, change }
  })
  useLayoutEffect(() => {
    const opened = openEditor(host.current!, {
      text: latest.current.value,
      placeholder: '{"done": false, "priority": {"$gte": 2}}',
      change: (text) => latest.current.change(text),
      extensions: suggestions(() => latest.current.fields),
    })
    view.current = opened
    return () => opened.destroy()
  }, [])
  // at once: later, more may have been typed, which the text of before would replace
  useLayoutEffect(() => setText(view.current!, value), [value])
  useLayoutEffect(() => {
    setAttributes(view.current!, { 'aria-label': label, 'aria-invalid': String(isInvalid) })
  }, [label, isInvalid])
  return <div ref={host} />
}
