import { useState } from 'react'
import { Snippet } from '../ui/Snippet'
import { snippetsOf } from './snippets'
import type { Operation } from './spec'

interface OperationViewProps {
  readonly operation: Operation
  readonly bucket: string
}

/** One operation; how to ask for it is made when somebody wants to know. */
export function OperationView({ operation, bucket }: OperationViewProps) {
  const { method, path, summary } = operation
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="operation" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code className="method">{method}</code> <code>{path}</code> <span className="quiet">{summary}</span>
      </summary>
      {isOpen && <Details operation={operation} bucket={bucket} />}
    </details>
  )
}

function Details({ operation, bucket }: OperationViewProps) {
  const { curl, fetch, sdk } = snippetsOf(operation, location.origin, bucket)
  const parameters = operation.parameters.filter((each) => each.in !== 'path')
  return (
    <div className="stack">
      {parameters.length > 0 && (
        <dl className="facts">
          {parameters.map(({ name, description = '', in: place }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
                {place === 'header' && <span className="tag">header</span>}
              </dt>
              <dd className="quiet">{description}</dd>
            </div>
          ))}
        </dl>
      )}
      {sdk !== undefined && <Snippet name="SDK" code={sdk} />}
      <Snippet name="curl" code={curl} />
      <Snippet name="fetch" code={fetch} />
    </div>
  )
}
