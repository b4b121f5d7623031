import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { Compartment, type Extension } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { editorTheme } from './editorTheme'

interface EditorOptions {
  readonly text: string
  readonly placeholder: string
  readonly change: (text: string) => void
  readonly extensions: Extension
}

const ATTRIBUTES = new Compartment()

/**
Opens an editor of JSON in an element. It lives in a shadow root: there its styles are sheets that scripts construct, which the
Content-Security-Policy allows, while in the document they would be inline. Tab leaves the editor unless an extension binds it.
*/
export function openEditor(host: HTMLElement, options: EditorOptions): EditorView {
  return new EditorView({
    parent: host.shadowRoot ?? host.attachShadow({ mode: 'open' }),
    doc: options.text,
    extensions: [
      // before the keys of the editor, which they override while suggestions are open
      options.extensions,
      keymap.of([...standardKeymap, ...historyKeymap]),
      history(),
      json(),
      EditorView.lineWrapping,
      placeholder(options.placeholder),
      editorTheme,
      ATTRIBUTES.of([]),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) options.change(state.doc.toString())
      }),
    ],
  })
}

/** Shows another text; the cursor stays where the text is that of the editor already. */
export function setText(view: EditorView, text: string): void {
  const { doc } = view.state
  if (doc.toString() !== text) {
    view.dispatch({ changes: { from: 0, to: doc.length, insert: text } })
  }
}

/** Sets attributes of the text box that assistive technology perceives. */
export function setAttributes(view: EditorView, attributes: { readonly [name: string]: string }): void {
  view.dispatch({ effects: ATTRIBUTES.reconfigure(EditorView.contentAttributes.of({ ...attributes })) })
}
