/** How something is that an admin looks after. */
export type State = 'good' | 'attention' | 'broken' | 'unknown'

export const STATES: Readonly<Record<State, { readonly word: string; readonly sign: string }>> = {
  good: { word: 'Good', sign: '✓' },
  attention: { word: 'Needs attention', sign: '!' },
  broken: { word: 'Broken', sign: '✕' },
  unknown: { word: 'Not known', sign: '?' },
}

/** Says so by a word, a sign and a colour. */
export function StateTag({ of }: { readonly of: State }) {
  const { word, sign } = STATES[of]
  return (
    <span className={`state ${of}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  )
}
