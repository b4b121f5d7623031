import { useCallback, useMemo, useState } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { bucketsOf } from '../server/schema'
import { Failure } from '../ui/Failure'
import { PageHead } from '../ui/PageHead'
import { Snippet } from '../ui/Snippet'
import { OperationView } from './OperationView'
import { preparations } from './snippets'
import { matching, operationsIn, type Operation, type Spec } from './spec'

/** Everything that can be asked of the server, and how, for one class. */
export function ApiPage() {
  const { client, classes } = useAdmin()
  const buckets = bucketsOf(classes)
  const load = useCallback(
    async (signal: AbortSignal) => operationsIn((await client.request('/spec', { signal })) as Spec),
    [client],
  )
  const { data, error, reload } = useLoaded(load)
  const [text, setText] = useState('')
  const [bucket, setBucket] = useState(buckets[0]?.name ?? 'User')
  const found = useMemo(() => matching(data ?? [], text), [data, text])
  return (
    <main tabIndex={-1} className="page">
      <PageHead title="API">
        <a className="button small" href="/v1/spec">
          OpenAPI document
        </a>
      </PageHead>
      <div className="line">
        <label className="stack">
          Search
          <input
            type="text"
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder="query count"
          />
        </label>
        <label className="stack">
          Class
          <select value={bucket} onChange={(event) => setBucket(event.target.value)}>
            {buckets.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <details className="operation" data-operation="preparations">
        <summary>Before the first snippet: a token, and a connected client</summary>
        <div className="stack">
          {Object.entries(preparations(location.origin)).map(([name, code]) => (
            <Snippet name={name} code={code} key={name} />
          ))}
        </div>
      </details>
      {error !== undefined && <Failure error={error} retry={reload} />}
      <p className="quiet" role="status">
        {data === undefined ? 'Loading …' : `${found.length} of ${data.length} operations`}
      </p>
      {Object.entries(byTag(found)).map(([tag, operations]) => (
        <section className="card" aria-labelledby={`tag-${tag}`} key={tag}>
          <h2 id={`tag-${tag}`}>{tag}</h2>
          <div>
            {operations.map((operation) => (
              <OperationView operation={operation} bucket={bucket} key={operation.id} />
            ))}
          </div>
        </section>
      ))}
    </main>
  )
}

function byTag(operations: readonly Operation[]): { readonly [tag: string]: readonly Operation[] } {
  const groups: { [tag: string]: Operation[] } = {}
  operations.forEach((each) => (groups[each.tag] ??= []).push(each))
  return groups
}
