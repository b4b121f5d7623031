import type { Stored } from '@orestes/sdk'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { Confirm } from '../ui/Confirm'
import { Dialog } from '../ui/Dialog'
import { Problem } from '../ui/Problem'
import { FoundUsers } from './FoundUsers'
import { MemberList } from './MemberList'
import type { Role } from './Roles'

interface MembersDialogProps {
  readonly role: Stored<Role>
  /** How many users are asked for at once. */
  readonly limit: number
  readonly close: () => void
}

/** Somebody who may come into a role or leave it. */
export interface Person {
  readonly id: string
  readonly name: string
}

/** Members of a role: all of them, or any user by the beginning of the name, to be added or removed. */
export function MembersDialog({ role, limit, close }: MembersDialogProps) {
  const { client } = useAdmin()
  const ids = useMemo(() => role.users ?? [], [role.users])
  const members = useMemo(() => new Set(ids), [ids])
  const [begin, setBegin] = useState('')
  const [leaving, setLeaving] = useState<Person>()
  const search = useRef<HTMLInputElement>(null)
  // operations on the set, so that two admins at once lose nothing
  const change = async (operation: '$add' | '$remove', user: string) => {
    await client.bucket<Role>('Role').update(role.id, { [operation]: { users: user } })
  }
  const add = useTask(({ id }: Person) => change('$add', id))
  const remove = async ({ id }: Person) => {
    await change('$remove', id)
    setLeaving(undefined)
  }
  useEffect(() => {
    // the button of who has left is gone
    if (document.activeElement === document.body) search.current?.focus()
  }, [members])
  return (
    <Dialog title={`Members of ${role.name}`} close={close}>
      <label className="stack">
        <span>
          Find a user <span className="quiet">by the beginning of the name, to add or remove them</span>
        </span>
        <input
          type="search"
          data-first
          ref={search}
          value={begin}
          onChange={(event) => setBegin(event.target.value)}
          spellCheck={false}
          autoComplete="off"
        />
      </label>
      {begin === '' ? (
        <MemberList members={ids} role={role.name} remove={setLeaving} />
      ) : (
        <FoundUsers
          begin={begin}
          size={limit}
          members={members}
          role={role.name}
          add={(person) => void add.run(person)}
          remove={setLeaving}
        />
      )}
      <Problem text={add.problem} />
      {leaving !== undefined && (
        <Confirm
          title={`Remove ${leaving.name} from ${role.name}?`}
          action="Remove"
          confirm={() => remove(leaving)}
          close={() => setLeaving(undefined)}
        >
          <p>What the role may do, {leaving.name} may not do from then on.</p>
        </Confirm>
      )}
    </Dialog>
  )
}
