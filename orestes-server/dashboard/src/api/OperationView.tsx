import { useState } from 'react'
import { useAdmin } from '../app/session'
import { Snippet } from '../ui/Snippet'
import { firstBody } from './bodies'
import { ParameterInputs } from './ParameterInputs'
import { firstValues, requestOf } from './request'
import { sdkOf } from './sdkSnippet'
import { isEndless } from './sending'
import { SendForm } from './SendForm'
import { curlOf, fetchOf } from './snippets'
import type { Operation } from './spec'

interface OperationViewProps {
  readonly operation: Operation
  readonly bucket: string
}

/** One operation; how to ask for it is made when somebody wants to know. */
export function OperationView({ operation, bucket }: OperationViewProps) {
  const { id, method, path, summary } = operation
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="operation"
      data-operation={id}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <code className="method">{method}</code> <code>{path}</code> <span className="quiet">{summary}</span>
      </summary>
      {isOpen && <Details operation={operation} bucket={bucket} key={bucket} />}
    </details>
  )
}

function Details({ operation, bucket }: OperationViewProps) {
  const { classes } = useAdmin()
  const [values, setValues] = useState(() => firstValues(operation, bucket, classes))
  const [body, setBody] = useState(() => firstBody(operation, bucket, classes))
  const request = requestOf(operation, values, body)
  const { origin } = location
  return (
    <div className="stack">
      <SendForm operation={operation} request={request}>
        <ParameterInputs parameters={operation.parameters} values={values} change={setValues} />
        {request.body !== undefined && (
          <label className="stack">
            Body
            <textarea
              rows={Math.min(body.split('\n').length + 1, 16)}
              spellCheck={false}
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          </label>
        )}
      </SendForm>
      <Snippet name="SDK" code={sdkOf(operation, request, values, origin)} />
      {operation.id !== 'socket' && (
        <>
          <Snippet name="curl" code={curlOf(request, origin, isEndless(operation))} />
          <Snippet name="fetch" code={fetchOf(request, origin)} />
        </>
      )}
    </div>
  )
}
