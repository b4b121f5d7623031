import type { Stored, User } from '@orestes/sdk'
import { go, hrefOf, hrefOfUser } from '../app/route'
import { useAdmin } from '../app/session'
import { useViewing } from '../app/viewing'
import { useMemo, useState } from 'react'
import { useTask } from '../app/useTask'
import { Confirm } from '../ui/Confirm'
import { keyIn } from '../server/values'
import { Problem } from '../ui/Problem'
import { VirtualRows } from '../ui/VirtualRows'
import type { Role } from './Roles'
import { TokenDialog } from './TokenDialog'

interface UserListProps {
  readonly users: readonly Stored<User>[]
  readonly roles: readonly Stored<Role>[]
}

/** Users with their roles; who is not active cannot log in. */
export function UserList({ users, roles }: UserListProps) {
  const { client } = useAdmin()
  const members = useMemo(() => roles.map(({ name, users }) => ({ name, ids: new Set(users) })), [roles])
  const [leaving, setLeaving] = useState<Stored<User>>()
  const setInactive = async ({ id }: Stored<User>, inactive: boolean) => {
    await client.bucket<User>('User').update(id, { $set: { inactive } })
  }
  const { viewAs } = useViewing()
  const [tokensOf, setTokensOf] = useState<Stored<User>>()
  const view = useTask(async (user: Stored<User>) => {
    await viewAs(user)
    go(hrefOf('data'))
  })
  const activate = useTask((user: Stored<User>) => setInactive(user, false))
  const deactivate = async (user: Stored<User>) => {
    await setInactive(user, true)
    setLeaving(undefined)
  }
  return (
    <>
      <VirtualRows label="Users, one by one" items={users} keyOf={({ id }) => id}>
        {(user) => (
          <>
            <a href={hrefOf('data', 'User', keyIn(user.id))}>{user.username}</a>
            {members
              .filter(({ ids }) => ids.has(user.id))
              .map(({ name }) => (
                <span className="tag" key={name}>
                  {name}
                </span>
              ))}
            {user.inactive === true && <span className="tag">not active</span>}
            <span className="actions">
              <a
                className="button small"
                href={hrefOfUser(user.username)}
                aria-label={`Explain what ${user.username} may do`}
              >
                Explain
              </a>
              <button
                type="button"
                className="button small"
                aria-label={`Tokens of ${user.username}`}
                onClick={() => setTokensOf(user)}
              >
                Tokens
              </button>
              {user.inactive !== true && (
                <button
                  type="button"
                  className="button small"
                  disabled={view.isBusy}
                  aria-label={`View as ${user.username}`}
                  onClick={() => void view.run(user)}
                >
                  View as
                </button>
              )}
              <button
                type="button"
                className="button small"
                disabled={activate.isBusy}
                aria-label={`${user.inactive === true ? 'Activate' : 'Deactivate'} ${user.username}`}
                onClick={() => (user.inactive === true ? void activate.run(user) : setLeaving(user))}
              >
                {user.inactive === true ? 'Activate' : 'Deactivate'}
              </button>
            </span>
          </>
        )}
      </VirtualRows>
      <Problem text={activate.problem || view.problem} />
      {tokensOf && <TokenDialog user={tokensOf} close={() => setTokensOf(undefined)} />}
      {leaving && (
        <Confirm
          title={`Deactivate ${leaving.username}?`}
          action="Deactivate"
          confirm={() => deactivate(leaving)}
          close={() => setLeaving(undefined)}
        >
          <p>Who is not active cannot log in.</p>
        </Confirm>
      )}
    </>
  )
}
