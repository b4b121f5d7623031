import { useCallback, useState } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { Failure } from '../ui/Failure'
import { PageHead } from '../ui/PageHead'
import { loadSettings, matching, sourceOf, valueOf, type Setting } from './settings'

/** How the server is configured: every key with what is in force. Flags and environment are read when it starts. */
export function SettingsPage() {
  const { client } = useAdmin()
  const load = useCallback((signal: AbortSignal) => loadSettings(client, signal), [client])
  const { data, error, reload } = useLoaded(load)
  const [words, setWords] = useState('')
  const [isSetOnly, setSetOnly] = useState(false)
  const found = data && matching(data, words, isSetOnly)
  return (
    <main tabIndex={-1} className="page">
      <PageHead title="Settings" />
      <p className="quiet">
        They are read when the server starts, from its flags and its environment, and cannot be changed here.
        Secrets are not told.
      </p>
      <div className="line">
        <label className="stack">
          Search
          <input type="text" value={words} onChange={(event) => setWords(event.target.value)} />
        </label>
        <label className="check">
          <input type="checkbox" checked={isSetOnly} onChange={(event) => setSetOnly(event.target.checked)} />
          Only what somebody has set
        </label>
      </div>
      {error !== undefined && <Failure error={error} retry={reload} />}
      <p role="status" className="quiet">
        {found === undefined ? (error === undefined ? 'Loading …' : '') : counted(found.length)}
      </p>
      {found !== undefined && found.length > 0 && <SettingsTable settings={found} />}
    </main>
  )
}

function counted(count: number): string {
  return count === 0 ? 'No setting is like that.' : count === 1 ? '1 setting' : `${count} settings`
}

function SettingsTable({ settings }: { readonly settings: readonly Setting[] }) {
  return (
    <div className="card scrolls" tabIndex={0} role="group" aria-label="Settings">
      <table className="settings">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Value</th>
            <th scope="col">From</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <tr key={setting.key}>
              <th scope="row">
                <code>{setting.key}</code>
              </th>
              <td>
                {setting.secret || !setting.value ? (
                  <span className="quiet">{valueOf(setting)}</span>
                ) : (
                  <code>{valueOf(setting)}</code>
                )}
              </td>
              <td>{setting.set ? sourceOf(setting) : <span className="quiet">{sourceOf(setting)}</span>}</td>
              <td>
                {setting.description}{' '}
                <span className="quiet">
                  {setting.type}
                  {setting.set && setting.default !== '' && `; default ${setting.default}`}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
