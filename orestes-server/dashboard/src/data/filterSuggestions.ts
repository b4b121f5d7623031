import {
  acceptCompletion,
  autocompletion,
  currentCompletions,
  pickedCompletion,
  setSelectedCompletion,
  type Completion as CodeMirrorCompletion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { accepted, completionAt, type Candidate, type Completion } from './filterCompletion'
import type { FilterFields } from './filterFields'

/** How many suggestions are shown at once: a list that scrolls would have to be a stop of Tab. */
const IN_SIGHT = 8

interface Suggestion extends CodeMirrorCompletion {
  /** Whether it completes a word that is typed already. */
  readonly isBegun: boolean
}

type Suggest = (context: CompletionContext) => CompletionResult | null

/** Suggests what may come next in a filter. As long as no word is begun, none is selected: Enter and Tab are what they always are. */
export function suggestions(fields: () => FilterFields): Extension {
  return [
    autocompletion({
      override: [suggestionsFrom(fields)],
      activateOnCompletion: () => true,
      activateOnTypingDelay: 0,
      interactionDelay: 0,
      selectOnOpen: false,
      maxRenderedOptions: IN_SIGHT,
      icons: false,
    }),
    keymap.of([{ key: 'Tab', run: acceptCompletion }]),
    EditorView.contentAttributes.of({ 'aria-keyshortcuts': 'Control+Space' }),
    announcement,
  ]
}

/** Suggestions at the cursor; in an empty filter only on demand. */
export function suggestionsFrom(fields: () => FilterFields): Suggest {
  const suggest: Suggest = ({ state, pos, explicit }) => {
    const text = state.doc.toString()
    const completion = explicit || text.trim() !== '' ? completionAt(text, pos, fields()) : undefined
    if (completion === undefined) return null
    const { from, to, candidates } = completion
    return {
      from,
      to,
      filter: false,
      options: candidates.map((each) => suggestionOf(completion, each)),
      // without a delay, in which Tab would leave the editor
      update: (_current, _from, _to, context) => suggest(context),
    }
  }
  return suggest
}

function suggestionOf({ typed }: Completion, candidate: Candidate): Suggestion {
  const { label, detail } = candidate
  return {
    label,
    detail,
    isBegun: typed !== '',
    apply: (view, suggestion, from, to) => {
      const { insert, cursor } = accepted({ from, to }, candidate)
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: cursor },
        scrollIntoView: true,
        userEvent: 'input.complete',
        annotations: pickedCompletion.of(suggestion),
      })
    },
  }
}

/** Says how many suggestions appeared, and selects the first one where a word is begun. */
const announcement = EditorView.updateListener.of(({ view, state, startState }) => {
  const shown = currentCompletions(state) as readonly Suggestion[]
  const [first] = shown
  if (first === undefined || shown === currentCompletions(startState)) return
  const spoken = EditorView.announce.of(countOf(shown))
  view.dispatch({ effects: first.isBegun ? [spoken, setSelectedCompletion(0)] : spoken })
})

function countOf({ length }: readonly Suggestion[]): string {
  return `${length} ${length === 1 ? 'suggestion' : 'suggestions'}, arrow down to choose`
}
