import { useRef, type FormEvent } from 'react'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { Problem } from '../ui/Problem'

/** A form that registers somebody else. */
export function AddUser() {
  const { client } = useAdmin()
  const form = useRef<HTMLFormElement>(null)
  const add = useTask(async (username: string, password: string) => {
    await client.users.register({ username }, password, { login: false })
    form.current?.reset()
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    void add.run(String(fields.get('username')), String(fields.get('password')))
  }
  return (
    <form className="line" aria-label="Add a user" onSubmit={submit} ref={form}>
      <label className="stack">
        New user
        <input name="username" type="text" autoComplete="off" required />
      </label>
      <label className="stack">
        Password
        <input name="password" type="password" autoComplete="new-password" required />
      </label>
      <button className="button" disabled={add.isBusy}>
        Add user
      </button>
      <Problem text={add.problem} />
    </form>
  )
}
