import type { Query, Stored, User } from '@orestes/sdk'
import { useMemo, useState } from 'react'
import { Failure } from '../ui/Failure'
import { MoreUsers } from './MoreUsers'
import type { Role } from './Roles'
import { useFollowed, type Followed } from './useFollowed'
import { UserList } from './UserList'
import { useMore } from './useMore'

interface DirectoryProps {
  /** All users by name. */
  readonly all: Query<User>
  /** The first of them, as many as are followed live. */
  readonly first: Followed<User>
  readonly limit: number
  readonly roles: readonly Stored<Role>[]
}

/** Every user, found by the beginning of the name: the first are live, those behind them come page by page. */
export function Directory({ all, first, limit, roles }: DirectoryProps) {
  const [begin, setBegin] = useState('')
  const query = useMemo(() => (begin === '' ? all : all.startsWith('username', begin)), [all, begin])
  const found = useFollowed(
    useMemo(() => (query === all ? undefined : query.limit(limit)), [query, all, limit]),
  )
  const { data, error, retry } = query === all ? first : found
  const more = useMore(query, data ?? [], limit)
  return (
    <>
      <label className="stack">
        <span>
          Find a user <span className="quiet">by the beginning of the name</span>
        </span>
        <input
          type="search"
          value={begin}
          onChange={(event) => setBegin(event.target.value)}
          spellCheck={false}
          autoComplete="off"
        />
      </label>
      {error !== undefined && <Failure error={error} retry={retry} />}
      {data?.length === 0 && (
        <p className="quiet" role="status">
          No user’s name begins like that.
        </p>
      )}
      <UserList users={[...(data ?? []), ...more.users]} roles={roles} />
      <MoreUsers more={more} />
    </>
  )
}
