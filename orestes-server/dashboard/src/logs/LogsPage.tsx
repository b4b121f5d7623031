import { useEffect, useState } from 'react'
import { hrefOf } from '../app/route'
import { Failure } from '../ui/Failure'
import { PageHead } from '../ui/PageHead'
import { LEVELS, type Level, type LogFilter, type Shown } from './entries'
import { LogList } from './LogList'
import { useTail } from './useTail'

/** Until nobody has typed for so long nothing is searched for. */
const TYPED_MILLIS = 250

const ALL: LogFilter = { level: 'trace', contains: '' }

const NAMES: Readonly<Record<Level, string>> = {
  error: 'Errors',
  warn: 'Warnings and above',
  info: 'Information and above',
  debug: 'Debugging and above',
  trace: 'Everything',
}

/** What the server says of itself: the newest entries of its log, and those that come. */
export function LogsPage() {
  const [filter, setFilter] = useState(ALL)
  const [isFollowing, setFollowing] = useState(true)
  const [turn, setTurn] = useState(0)
  const { shown, error, retry } = useTail(filter, isFollowing)
  const clear = () => {
    setFilter(ALL)
    setTurn((n) => n + 1)
  }
  return (
    <main tabIndex={-1} className="page logs">
      <PageHead title="Logs">
        <button
          type="button"
          className="button small"
          aria-pressed={isFollowing}
          onClick={() => setFollowing((before) => !before)}
        >
          <span className="lamp" aria-hidden="true" />
          Live tail
        </button>
      </PageHead>
      <p className="quiet">
        The newest entries of this server, as far as they are in memory; times are UTC. What applications log
        is in the class <a href={hrefOf('data', 'logs.AppLog')}>logs.AppLog</a>.
      </p>
      <FilterLine filter={filter} setFilter={setFilter} key={turn} />
      {error !== undefined && <Failure error={error} retry={retry} />}
      {shown === undefined ? (
        error === undefined && (
          <p className="quiet" role="status">
            Asking the server …
          </p>
        )
      ) : (
        <Entries shown={shown} filter={filter} isFollowing={isFollowing} clear={clear} />
      )}
    </main>
  )
}

interface FilterLineProps {
  readonly filter: LogFilter
  readonly setFilter: (filter: LogFilter) => void
}

function FilterLine({ filter, setFilter }: FilterLineProps) {
  const [words, setWords] = useState(filter.contains)
  useEffect(() => {
    if (words === filter.contains) return undefined
    const timer = setTimeout(() => setFilter({ ...filter, contains: words }), TYPED_MILLIS)
    return () => clearTimeout(timer)
  }, [words, filter, setFilter])
  return (
    <div className="line">
      <label className="stack">
        Level
        <select
          value={filter.level}
          onChange={(event) => setFilter({ level: event.target.value as Level, contains: words })}
        >
          {[...LEVELS].reverse().map((level) => (
            <option key={level} value={level}>
              {NAMES[level]}
            </option>
          ))}
        </select>
      </label>
      <label className="stack">
        Search
        <input type="text" value={words} maxLength={200} onChange={(event) => setWords(event.target.value)} />
      </label>
    </div>
  )
}

interface EntriesProps {
  readonly shown: Shown
  readonly filter: LogFilter
  readonly isFollowing: boolean
  readonly clear: () => void
}

function Entries({ shown: { lines }, filter, isFollowing, clear }: EntriesProps) {
  if (lines.length > 0)
    return <LogList lines={lines} isFollowing={isFollowing} key={JSON.stringify(filter)} />
  if (filter.level === ALL.level && filter.contains === '') return <None />
  return (
    <div className="empty">
      <p role="status">No entry is like that{isFollowing ? ' yet' : ''}.</p>
      <button type="button" className="button small" onClick={clear}>
        Show everything
      </button>
    </div>
  )
}

/** Before the server has said anything. */
function None() {
  return (
    <div className="empty">
      <p role="status">This server has had nothing to say yet.</p>
      <p className="quiet">
        Here stand its warnings and errors with their stack traces, and what happens to it: changes of stored
        objects for a new schema, shared caches that are late, other servers that come and go. Requests are
        not logged.
      </p>
    </div>
  )
}
