import { useState, type FormEvent } from 'react'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { Problem } from '../ui/Problem'
import type { Role } from './Roles'

/** Who may change a role that is made here. */
const ADMINS_ONLY = { read: {}, write: { '/db/Role/1': 'allow' } } as const

/** A form that makes a role without members. */
export function AddRole({ taken }: { readonly taken: readonly string[] }) {
  const { client } = useAdmin()
  const [name, setName] = useState('')
  const add = useTask(async () => {
    if (taken.includes(name.trim())) {
      throw new Error(`There is a role called ${name.trim()} already.`)
    }
    await client.bucket<Role>('Role').insert({ name: name.trim(), users: [], acl: ADMINS_ONLY })
    setName('')
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void add.run()
  }
  return (
    <form className="line" aria-label="Add a role" onSubmit={submit}>
      <label className="stack">
        New role
        <input type="text" value={name} onChange={(event) => setName(event.target.value)} required />
      </label>
      <button className="button" disabled={add.isBusy}>
        Add role
      </button>
      <Problem text={add.problem} />
    </form>
  )
}
