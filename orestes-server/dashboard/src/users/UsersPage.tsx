import type { Stored, User } from '@orestes/sdk'
import { useLive } from '@orestes/sdk/react'
import { hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import { Failure } from '../ui/Failure'
import { PageHead } from '../ui/PageHead'
import { AddRole } from './AddRole'
import { AddUser } from './AddUser'
import { Roles, type Role } from './Roles'
import { UserList } from './UserList'

/** As many as a live query shows; more are found on the data page. */
const LIMIT = 500

/** Who may log in, and which roles they have; live. */
export function UsersPage() {
  const { client } = useAdmin()
  const users = useLive(client.bucket<User>('User').find().sort({ username: 1, id: 1 }).limit(LIMIT))
  const roles = useLive(client.bucket<Role>('Role').find().sort({ name: 1, id: 1 }).limit(LIMIT))
  const known: readonly Stored<User>[] = users.data ?? []
  const error = users.error ?? roles.error
  return (
    <main tabIndex={-1} className="page">
      <PageHead title="Users and roles">
        <a className="button small" href={hrefOf('explain')}>
          Explain permissions
        </a>
      </PageHead>
      {error !== undefined && <Failure error={error} />}
      <section className="card" aria-labelledby="users">
        <h2 id="users">Users</h2>
        <UserList users={known} roles={roles.data ?? []} />
        {known.length === LIMIT && (
          <p className="quiet">These are the first {LIMIT}; all are on the data page, in the class User.</p>
        )}
        <AddUser />
      </section>
      <section className="card" aria-labelledby="roles">
        <h2 id="roles">Roles</h2>
        <Roles users={known} roles={roles.data ?? []} />
        <AddRole taken={roles.data?.map(({ name }) => name) ?? []} />
      </section>
    </main>
  )
}
