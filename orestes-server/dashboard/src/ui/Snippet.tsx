import { useRef, useState } from 'react'
import { copied, select } from './copy'

/** A text to be copied: by its button, or by hand where the browser does not let a page do that. */
export function Snippet({ name, code }: { readonly name: string; readonly code: string }) {
  const [said, setSaid] = useState('Copy')
  const shown = useRef<HTMLPreElement>(null)
  const copy = async () => {
    const isCopied = await copied(code)
    if (!isCopied && shown.current) select(shown.current)
    setSaid(isCopied ? 'Copied' : 'Selected')
  }
  return (
    <figure className="snippet">
      <figcaption>
        {name}
        <button
          type="button"
          className="button small"
          aria-label={`${said} ${name}`}
          onClick={() => void copy()}
        >
          {said}
        </button>
      </figcaption>
      <pre tabIndex={0} ref={shown}>
        {code}
      </pre>
    </figure>
  )
}
