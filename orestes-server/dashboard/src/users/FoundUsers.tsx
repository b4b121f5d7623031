import type { User } from '@orestes/sdk'
import { useCallback, useMemo } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { Failure } from '../ui/Failure'
import { VirtualRows } from '../ui/VirtualRows'
import type { Person } from './MembersDialog'
import { MoreUsers } from './MoreUsers'
import { useMore } from './useMore'

interface FoundUsersProps {
  readonly begin: string
  /** How many are asked for at once. */
  readonly size: number
  /** Ids of the members of the role. */
  readonly members: ReadonlySet<string>
  /** What the role is called. */
  readonly role: string
  readonly add: (person: Person) => void
  readonly remove: (person: Person) => void
}

/** Users whose name begins so, members of a role or not. */
export function FoundUsers({ begin, size, members, role, add, remove }: FoundUsersProps) {
  const { client } = useAdmin()
  const query = useMemo(
    () => client.bucket<User>('User').find().startsWith('username', begin).sort({ username: 1, id: 1 }),
    [client, begin],
  )
  const load = useCallback(
    async (signal: AbortSignal) => (await query.limit(size).list({ signal })).data,
    [query, size],
  )
  const { data: first, error, reload } = useLoaded(load)
  const more = useMore(query, first ?? [], size)
  return (
    <>
      {error !== undefined && <Failure error={error} retry={reload} />}
      {first?.length === 0 && (
        <p className="quiet" role="status">
          No user’s name begins like that.
        </p>
      )}
      <VirtualRows
        label="Users found, one by one"
        items={[...(first ?? []), ...more.users]}
        keyOf={({ id }) => id}
      >
        {({ id, username: name }) => {
          const isMember = members.has(id)
          return (
            <>
              {name}
              {isMember && <span className="tag">member</span>}
              <span className="actions">
                <button
                  type="button"
                  className="button small"
                  aria-label={isMember ? `Remove ${name} from ${role}` : `Add ${name} to ${role}`}
                  onClick={() => (isMember ? remove : add)({ id, name })}
                >
                  {isMember ? 'Remove' : 'Add'}
                </button>
              </span>
            </>
          )
        }}
      </VirtualRows>
      <MoreUsers more={more} />
    </>
  )
}
