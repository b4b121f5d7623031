import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const MONOSPACE = '0.9rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

/** Colours are those of the page, which change with the mode of the browser. */
const theme = EditorView.theme({
  '&': {
    border: '1px solid var(--quiet)',
    borderRadius: '10px',
    background: 'var(--card)',
    color: 'var(--text)',
  },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '2px' },
  '&:has([aria-invalid=true])': { borderColor: 'var(--bad)' },
  // grows with its text, up to a part of the window
  '.cm-scroller': { maxHeight: '40dvh', overflow: 'auto', font: MONOSPACE },
  '.cm-content': { minHeight: 'calc(3 * 1.5em + 20px)', padding: '10px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-placeholder': { color: 'var(--quiet)' },
  '.cm-tooltip': {
    border: '1px solid var(--quiet)',
    borderRadius: '10px',
    background: 'var(--card)',
    color: 'var(--text)',
    boxShadow: '0 6px 24px rgb(0 0 0 / 0.25)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    width: 'min(400px, 90vw)',
    maxWidth: 'none',
    maxHeight: 'none',
    boxSizing: 'border-box',
    padding: '6px',
    fontFamily: 'inherit',
    whiteSpace: 'normal',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    justifyContent: 'space-between',
    gap: '0 16px',
    padding: '5px 8px',
    borderRadius: '6px',
    fontSize: '0.92rem',
    lineHeight: '1.5',
    overflowWrap: 'anywhere',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li:hover': { background: 'var(--sunken)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    outline: '2px solid var(--accent)',
    outlineOffset: '-2px',
    background: 'var(--sunken)',
    color: 'var(--text)',
  },
  '.cm-completionLabel': { font: MONOSPACE },
  '.cm-completionDetail': { marginLeft: '0', color: 'var(--quiet)', fontStyle: 'normal' },
  '.cm-completionListIncompleteTop:before, .cm-completionListIncompleteBottom:after': { opacity: '1' },
})

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--store)' },
  { tag: tags.number, color: 'var(--cache)' },
  { tag: [tags.bool, tags.null], color: 'var(--unchanged)' },
])

export const editorTheme: Extension = [theme, syntaxHighlighting(highlighting)]
