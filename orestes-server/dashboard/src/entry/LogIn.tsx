import { CredentialsError, type Client } from '@orestes/sdk'
import type { FormEvent } from 'react'
import { useTask } from '../app/useTask'
import { Problem } from '../ui/Problem'
import { Dialog } from '../ui/Dialog'
import { useDiscarding } from '../ui/useDiscarding'
import { Entrance } from './Entrance'

/** Asks who is there. */
export function LogIn({ client }: { readonly client: Client }) {
  return (
    <Entrance title="Log in">
      <LogInForm client={client} username="root" />
      <p className="quiet">
        Nobody has a password yet? The first start of the server prints a link to set that of{' '}
        <code>root</code>.
      </p>
    </Entrance>
  )
}

interface SessionEndedProps {
  readonly client: Client
  readonly username: string
  readonly logOut: () => void
}

/** Asks again who is there, above the page, which stays as it is with all that was typed. */
export function SessionEnded({ client, username, logOut }: SessionEndedProps) {
  const { leave, question } = useDiscarding(true, logOut)
  return (
    <Dialog title="Your session has ended" close={leave}>
      <p>Log in again to go on where you are.</p>
      <LogInForm client={client} username={username} />
      {question}
    </Dialog>
  )
}

/** @param username who is asked for at first */
function LogInForm({ client, username }: { readonly client: Client; readonly username: string }) {
  const logIn = useTask(async (name: string, password: string) => {
    await client.users.login(name, password).catch((error: unknown) => {
      throw error instanceof CredentialsError ? new Error('Name or password is wrong.') : error
    })
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    void logIn.run(String(fields.get('username')), String(fields.get('password')))
  }
  return (
    <form className="stack" onSubmit={submit}>
      <label htmlFor="username">User name</label>
      <input
        id="username"
        name="username"
        type="text"
        autoComplete="username"
        defaultValue={username}
        required
      />
      <label htmlFor="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autoComplete="current-password"
        data-first
        required
      />
      <Problem text={logIn.problem} />
      <button className="button primary" disabled={logIn.isBusy}>
        Log in
      </button>
    </form>
  )
}
