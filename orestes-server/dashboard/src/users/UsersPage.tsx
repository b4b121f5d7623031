import type { User } from '@orestes/sdk'
import { useMemo } from 'react'
import { hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import { useLiveLimit } from '../app/useLiveLimit'
import { Failure } from '../ui/Failure'
import { PageHead } from '../ui/PageHead'
import { AddRole } from './AddRole'
import { AddUser } from './AddUser'
import { Directory } from './Directory'
import { Roles, type Role } from './Roles'
import { useFollowed } from './useFollowed'

/** Who may log in, and which roles they have; live. */
export function UsersPage() {
  const limit = useLiveLimit()
  return (
    <main tabIndex={-1} className="page">
      <PageHead title="Users and roles">
        <a className="button small" href={hrefOf('explain')}>
          Explain permissions
        </a>
      </PageHead>
      {limit.error !== undefined && <Failure error={limit.error} retry={limit.reload} />}
      {limit.data !== undefined && <UsersAndRoles limit={limit.data} />}
    </main>
  )
}

function UsersAndRoles({ limit }: { readonly limit: number }) {
  const { client } = useAdmin()
  const all = useMemo(() => client.bucket<User>('User').find().sort({ username: 1, id: 1 }), [client])
  const named = useMemo(() => client.bucket<Role>('Role').find().sort({ name: 1, id: 1 }), [client])
  const users = useFollowed(useMemo(() => all.limit(limit), [all, limit]))
  const roles = useFollowed(useMemo(() => named.limit(limit), [named, limit]))
  const known = roles.data ?? []
  return (
    <>
      <section className="card" aria-labelledby="users">
        <h2 id="users">Users</h2>
        <Directory all={all} first={users} limit={limit} roles={known} />
        <AddUser />
      </section>
      <section className="card" aria-labelledby="roles">
        <h2 id="roles">Roles</h2>
        {roles.error !== undefined && <Failure error={roles.error} retry={roles.retry} />}
        <Roles roles={known} limit={limit} />
        {known.length === limit && <p className="quiet">These are the first {limit}.</p>}
        <AddRole taken={known.map(({ name }) => name)} />
      </section>
    </>
  )
}
