import { useCallback, useState } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { escaped } from '../data/filter'
import { Failure } from '../ui/Failure'

/** So many of each kind are offered. */
const MOST = 5

interface Caller {
  readonly id: string
  readonly name: string
  readonly kind: 'role' | 'user'
}

interface FindCallerProps {
  readonly add: (id: string, rule: 'allow' | 'deny') => void
  /** Ids of those who are named already. */
  readonly taken: readonly string[]
}

/** Finds users and roles by the beginning of their names, for a rule. */
export function FindCaller({ add, taken }: FindCallerProps) {
  const { client } = useAdmin()
  const [typed, setTyped] = useState('')
  const begin = typed.trim()
  const load = useCallback(
    async (signal: AbortSignal): Promise<Caller[]> => {
      const find = async (bucket: string, field: string, kind: Caller['kind']) => {
        const filter = begin === '' ? {} : { [field]: { $regex: `^${escaped(begin)}` } }
        const found = client.bucket<{ [name: string]: string }>(bucket).find(filter)
        const { data } = await found
          .sort({ [field]: 1 })
          .limit(MOST)
          .list({ signal })
        return data.map((each) => ({ id: each.id, name: each[field] ?? '', kind }))
      }
      const [roles, users] = await Promise.all([
        find('Role', 'name', 'role'),
        begin === '' ? [] : find('User', 'username', 'user'),
      ])
      return [...roles, ...users]
    },
    [client, begin],
  )
  const { data = [], error, reload } = useLoaded(load)
  const offered = data.filter(({ id }) => !taken.includes(id))
  return (
    <>
      <label className="stack">
        <span>
          User or role <span className="quiet">begin to type its name</span>
        </span>
        <input
          type="text"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            // it is not the form that is sent
            if (event.key === 'Enter') event.preventDefault()
          }}
          spellCheck={false}
          autoComplete="off"
        />
      </label>
      {error !== undefined && <Failure error={error} retry={reload} />}
      <ul className="rows" aria-label="Users and roles">
        {offered.map(({ id, name, kind }) => (
          <li key={id}>
            <span>
              {name} <span className="quiet">{kind}</span>
            </span>
            <span className="actions">
              <button
                type="button"
                className="button small"
                aria-label={`${name} may`}
                onClick={() => add(id, 'allow')}
              >
                may
              </button>
              <button
                type="button"
                className="button small"
                aria-label={`${name} may not`}
                onClick={() => add(id, 'deny')}
              >
                may not
              </button>
            </span>
          </li>
        ))}
      </ul>
      {begin !== '' && offered.length === 0 && error === undefined && (
        <p className="quiet" role="status">
          No other user or role is called so.
        </p>
      )}
    </>
  )
}
