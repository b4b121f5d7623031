import type { Stored } from '@orestes/sdk'
import { useState } from 'react'
import { counted } from '../server/quantities'
import { MembersDialog } from './MembersDialog'

/** A role: permissions name it, and its members have them. */
export interface Role {
  readonly name: string
  /** Ids of its members. */
  readonly users: readonly string[] | null
}

/** Roles that the server gives by itself: to other servers, and to everybody who is logged in. */
const AUTOMATIC: ReadonlySet<string> = new Set(['/db/Role/2', '/db/Role/3'])

interface RolesProps {
  readonly roles: readonly Stored<Role>[]
  /** How many users are asked for at once. */
  readonly limit: number
}

/** Every role, with how many members it has; who they are is looked at one role at a time, as they may be very many. */
export function Roles({ roles, limit }: RolesProps) {
  const [openId, setOpenId] = useState<string>()
  const open = roles.find(({ id }) => id === openId)
  return (
    <>
      <ul className="rows">
        {roles.map(({ id, name, users }) => (
          <li key={id}>
            <strong>{name}</strong>
            {AUTOMATIC.has(id) ? (
              <span className="quiet">given by the server itself</span>
            ) : (
              <>
                <span className="quiet">{counted(users?.length ?? 0, 'member')}</span>
                <span className="actions">
                  <button
                    type="button"
                    className="button small"
                    aria-label={`Members of ${name}`}
                    onClick={() => setOpenId(id)}
                  >
                    Members
                  </button>
                </span>
              </>
            )}
          </li>
        ))}
      </ul>
      {open && <MembersDialog role={open} limit={limit} close={() => setOpenId(undefined)} />}
    </>
  )
}
