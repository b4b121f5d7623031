import { useId, useMemo, useRef } from 'react'
import { useAdmin } from '../app/session'
import { inSight, nextPage } from './choice'
import type { Completion } from './filterCompletion'
import { FilterFields } from './filterFields'
import { useCompletion } from './useCompletion'

interface RawFilterProps {
  readonly bucket: string
  readonly value: string
  readonly change: (value: string) => void
  readonly isInvalid: boolean
}

/**
A MongoDB filter as text, with what may come next below it. It stays a text box of several lines for assistive technology: a
combo box has one line only, and so whether its list is open is said in a status.
*/
export function RawFilter({ bucket, value, change, isInvalid }: RawFilterProps) {
  const { classes } = useAdmin()
  const fields = useMemo(() => new FilterFields(bucket, classes), [bucket, classes])
  const area = useRef<HTMLTextAreaElement>(null)
  const { choice, activate, accept, typed, close, onKeyDown } = useCompletion(area, fields)
  const id = useId()
  const optionId = (index: number) => `${id}-${index}`
  return (
    <div className="raw-filter">
      <label className="stack">
        MongoDB filter
        <textarea
          ref={area}
          rows={3}
          value={value}
          onChange={(event) => {
            change(event.target.value)
            typed()
          }}
          onKeyDown={onKeyDown}
          onPointerDown={close}
          onBlur={close}
          placeholder={'{"done": false, "priority": {"$gte": 2}}'}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-invalid={isInvalid}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-keyshortcuts="Control+Space"
          aria-controls={choice && id}
          aria-activedescendant={choice && choice.active >= 0 ? optionId(choice.active) : undefined}
        />
      </label>
      {choice && (
        <Candidates
          id={id}
          completion={choice.completion}
          active={choice.active}
          activate={activate}
          accept={accept}
          optionId={optionId}
        />
      )}
      <p role="status" className="only-spoken">
        {choice && countOf(choice.completion)}
      </p>
    </div>
  )
}

function countOf({ candidates: { length } }: Completion): string {
  return `${length} ${length === 1 ? 'suggestion' : 'suggestions'}, arrow down to choose`
}

interface CandidatesProps {
  readonly id: string
  readonly completion: Completion
  readonly active: number
  readonly activate: (index: number) => void
  readonly accept: (index: number) => void
  readonly optionId: (index: number) => string
}

/** A page of candidates. The focus stays where it is. */
function Candidates({ id, completion, active, activate, accept, optionId }: CandidatesProps) {
  const { candidates } = completion
  const { first, shown } = inSight(candidates, active)
  const rest = candidates.length - shown.length
  return (
    <div className="candidates card" onMouseDown={(event) => event.preventDefault()}>
      <ul role="listbox" id={id} aria-label="Suggestions">
        {shown.map(({ label, detail }, i) => (
          <li
            key={`${label} ${detail}`}
            id={optionId(first + i)}
            role="option"
            aria-selected={first + i === active}
            aria-posinset={first + i + 1}
            aria-setsize={candidates.length}
            onClick={() => accept(first + i)}
          >
            <code>{label}</code>
            <span className="quiet">{detail}</span>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <button
          type="button"
          className="button small"
          tabIndex={-1}
          onClick={() => activate(nextPage(active, candidates.length))}
        >
          {rest} more
        </button>
      )}
    </div>
  )
}
