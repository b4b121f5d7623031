import { useCallback, useEffect, useId, useState, type FormEvent } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { Confirm } from '../ui/Confirm'
import { Facts } from '../ui/Facts'
import { Failure } from '../ui/Failure'
import { bytes, left } from '../server/quantities'
import type { Entry } from './state'
import { holding, staleness } from './words'

const EVERY_MILLIS = 5000

interface InspectorProps {
  /** The URL that is looked at; empty for none. */
  readonly inspected: string
  readonly inspect: (url: string) => void
}

/** Who may have a URL, until when, and whether that is the newest state. */
export function Inspector({ inspected, inspect }: InspectorProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  useEffect(() => setTyped(inspected), [inspected])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    inspect(typed.trim())
  }
  return (
    <section className="card" aria-labelledby={`${id}title`}>
      <h2 id={`${id}title`}>Inspect a URL</h2>
      <form className="line" onSubmit={submit}>
        <label className="stack" htmlFor={`${id}url`}>
          <span>
            URL <span className="quiet">of an object or a query</span>
          </span>
          <input
            type="text"
            id={`${id}url`}
            value={typed}
            placeholder="/v1/db/Class/key"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <button className="button" disabled={typed.trim() === ''}>
          Inspect
        </button>
      </form>
      {inspected !== '' && <Inspected url={inspected} />}
    </section>
  )
}

function Inspected({ url }: { readonly url: string }) {
  const { client } = useAdmin()
  const path = `/-/caching/entry?url=${encodeURIComponent(url)}`
  const load = useCallback(
    async (signal: AbortSignal) => (await client.request(path, { signal })) as Entry,
    [client, path],
  )
  const { data, error, reload } = useLoaded(load, EVERY_MILLIS)
  const [isPurging, setPurging] = useState(false)
  const purge = async (signal: AbortSignal) => {
    await client.request(path, { method: 'DELETE', signal })
    reload()
    setPurging(false)
  }
  return (
    <>
      {error !== undefined && <Failure error={error} retry={reload} />}
      {data !== undefined && (
        <>
          <Facts of={factsOf(data)} wide />
          <div className="actions">
            <button type="button" className="button small danger" onClick={() => setPurging(true)}>
              Purge this URL
            </button>
          </div>
        </>
      )}
      {isPurging && (
        <Confirm title="Purge this URL?" action="Purge" confirm={purge} close={() => setPurging(false)}>
          <p>
            <code>{data?.key}</code>
          </p>
          <p>Servers and shared caches forget it, and browsers ask for it before they use their copy.</p>
        </Confirm>
      )}
    </>
  )
}

function factsOf(entry: Entry): readonly (readonly [string, React.ReactNode])[] {
  const { key, copy, now, spellings } = entry
  return [
    ['Key', <code>{key}</code>],
    ['In memory here', copy === null ? 'No: the next read goes to the store.' : memoryOf(copy, now)],
    ['Version', copy === null ? '–' : <code>{copy.etag}</code>],
    ['Time to live', copy === null ? '–' : lifeOf(copy)],
    ['Held by others', holding(entry)],
    ['In the filter', staleness(entry)],
    ...(spellings.length === 0 ? [] : [['Other spellings', <Spellings of={spellings} />] as const]),
  ]
}

function memoryOf(
  { bytes: size, expires, public: isPublic }: NonNullable<Entry['copy']>,
  now: number,
): string {
  const whom = isPublic ? 'for everybody' : 'for those only who may read it'
  return `${bytes(size)}, ${whom}, dropped when it changes and in ${left(expires, now)} at the latest.`
}

function lifeOf({
  browserSeconds,
  sharedSeconds,
  public: isPublic,
  cacheControl,
}: NonNullable<Entry['copy']>) {
  return isPublic ? (
    <>
      {browserSeconds} s in browsers, {sharedSeconds} s in shared caches (<code>{cacheControl}</code>)
    </>
  ) : (
    <>
      no cache but this one keeps it (<code>{cacheControl}</code>)
    </>
  )
}

function Spellings({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className="rows">
      {of.map((each) => (
        <li key={each}>
          <code>{each}</code>
        </li>
      ))}
    </ul>
  )
}
