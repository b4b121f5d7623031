import type { Answer } from './sending'

/** What a server answered. */
export function AnswerView({ answer }: { readonly answer: Answer }) {
  const { status, millis, headers, body, isCut } = answer
  return (
    <div className="stack">
      <p role="status">
        <strong className={status < 400 ? '' : 'answer-refused'}>{status}</strong> in {millis.toFixed(0)} ms
      </p>
      <details>
        <summary>{headers.length} headers</summary>
        <pre tabIndex={0}>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
      </details>
      {body !== '' && (
        <pre className="answer" tabIndex={0} aria-label="Body of the answer">
          {body}
        </pre>
      )}
      {isCut && <p className="quiet">The answer is longer; only its beginning was read.</p>}
    </div>
  )
}
