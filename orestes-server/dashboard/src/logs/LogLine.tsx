import { Snippet } from '../ui/Snippet'
import { shortName, textOf, timeOf, type Line, type LogEntry } from './entries'

interface LogLineProps {
  readonly index: number
  readonly line: Line
  /** Where it begins in the list, in pixels. */
  readonly start: number
  readonly measure: (element: HTMLElement | null) => void
  readonly isOpen: boolean
  readonly isActive: boolean
  readonly toggle: (key: string) => void
}

/** An entry on one line, and all of it when it is open; or a note between two. */
export function LogLine({ index, line, start, measure, isOpen, isActive, toggle }: LogLineProps) {
  return (
    <div
      className="log-line"
      ref={measure}
      data-index={index}
      style={{ transform: `translateY(${start}px)` }}
    >
      {'note' in line ? (
        <p className="log-note" data-line={line.key} tabIndex={-1}>
          {line.note}
        </p>
      ) : (
        <>
          <button
            type="button"
            className="log-entry"
            data-line={line.key}
            data-level={line.entry.level}
            tabIndex={isActive ? 0 : -1}
            aria-expanded={isOpen}
            onClick={() => toggle(line.key)}
          >
            <Summary entry={line.entry} />
          </button>
          {isOpen && (
            <div className="log-whole">
              <Snippet name={`Entry ${line.entry.sequence}`} code={textOf(line.entry)} />
            </div>
          )}
        </>
      )}
    </div>
  )
}

/** Texts may turn the direction of writing; each is kept apart from what is beside it. */
function Summary({ entry }: { readonly entry: LogEntry }) {
  return (
    <>
      <time dateTime={new Date(entry.time).toISOString()}>{timeOf(entry)}</time>{' '}
      <span className="log-level">{entry.level.toUpperCase()}</span>{' '}
      <bdi className="log-name">{shortName(entry)}</bdi> <bdi className="log-message">{entry.message}</bdi>
    </>
  )
}
