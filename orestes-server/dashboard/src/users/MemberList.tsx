import { useCallback, useState } from 'react'
import { counted } from '../server/quantities'
import { keyIn } from '../server/values'
import { VirtualRows } from '../ui/VirtualRows'
import type { Person } from './MembersDialog'
import { useUserNames } from './useUserNames'

interface MemberListProps {
  /** Ids of all of them. */
  readonly members: readonly string[]
  /** What the role is called. */
  readonly role: string
  readonly remove: (person: Person) => void
}

/** Every member of a role. What they are called is loaded for those in sight. */
export function MemberList({ members, role, remove }: MemberListProps) {
  const [[first, last], setRange] = useState<readonly [number, number]>([0, -1])
  const names = useUserNames(members.slice(first, last + 1))
  const show = useCallback((from: number, to: number) => setRange([from, to]), [])
  if (members.length === 0) {
    return (
      <p className="quiet" role="status">
        Nobody is a member. Find a user above to add them.
      </p>
    )
  }
  return (
    <>
      <p className="quiet" role="status">
        {counted(members.length, 'member')}
      </p>
      <VirtualRows label={`Members of ${role}, one by one`} items={members} keyOf={(id) => id} show={show}>
        {(id) => {
          const name = names.get(id) ?? keyIn(id)
          return (
            <>
              {name}
              <span className="actions">
                <button
                  type="button"
                  className="button small"
                  aria-label={`Remove ${name} from ${role}`}
                  onClick={() => remove({ id, name })}
                >
                  Remove
                </button>
              </span>
            </>
          )
        }}
      </VirtualRows>
    </>
  )
}
