import type { Stored, User } from '@orestes/sdk'
import { useId, useState } from 'react'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { keyIn } from '../server/values'
import { Confirm } from '../ui/Confirm'
import { Problem } from '../ui/Problem'

/** A role: permissions name it, and its members have them. */
export interface Role {
  readonly name: string
  /** Ids of its members. */
  readonly users: readonly string[] | null
}

/** Roles that the server gives by itself: to other servers, and to everybody who is logged in. */
const AUTOMATIC: ReadonlySet<string> = new Set(['/db/Role/2', '/db/Role/3'])

interface RolesProps {
  readonly users: readonly Stored<User>[]
  readonly roles: readonly Stored<Role>[]
}

/** Every role with its members, who come and go one by one. */
export function Roles({ users, roles }: RolesProps) {
  return (
    <ul className="rows">
      {roles.map((role) => (
        <li key={role.id}>
          {AUTOMATIC.has(role.id) ? (
            <>
              <strong>{role.name}</strong>
              <span className="quiet">given by the server itself</span>
            </>
          ) : (
            <RoleRow role={role} users={users} />
          )}
        </li>
      ))}
    </ul>
  )
}

function RoleRow({ role, users }: { readonly role: Stored<Role>; readonly users: readonly Stored<User>[] }) {
  const { client } = useAdmin()
  const id = useId()
  const members = role.users ?? []
  const others = users.filter((user) => !members.includes(user.id))
  // operations on the set, so that two admins at once lose nothing
  const change = async (operation: '$add' | '$remove', user: string) => {
    await client.bucket<Role>('Role').update(role.id, { [operation]: { users: user } })
  }
  const add = useTask((user: string) => change('$add', user))
  const [leaving, setLeaving] = useState<string>()
  const remove = async (user: string) => {
    await change('$remove', user)
    setLeaving(undefined)
  }
  const nameOf = (user: string) => users.find((each) => each.id === user)?.username ?? keyIn(user)
  return (
    <>
      <strong>{role.name}</strong>
      {members.map((user) => (
        <span className="tag" key={user}>
          {nameOf(user)}
          <button
            type="button"
            aria-label={`Remove ${nameOf(user)} from ${role.name}`}
            onClick={() => setLeaving(user)}
          >
            ✕
          </button>
        </span>
      ))}
      {others.length > 0 && (
        <span className="add-member">
          <label className="only-spoken" htmlFor={id}>
            Add a member to {role.name}
          </label>
          <select id={id} value="" onChange={(event) => void add.run(event.target.value)}>
            <option value="">Add a member …</option>
            {others.map((user) => (
              <option key={user.id} value={user.id}>
                {user.username}
              </option>
            ))}
          </select>
        </span>
      )}
      <Problem text={add.problem} />
      {leaving !== undefined && (
        <Confirm
          title={`Remove ${nameOf(leaving)} from ${role.name}?`}
          action="Remove"
          confirm={() => remove(leaving)}
          close={() => setLeaving(undefined)}
        >
          <p>What the role may do, {nameOf(leaving)} may not do from then on.</p>
        </Confirm>
      )}
    </>
  )
}
