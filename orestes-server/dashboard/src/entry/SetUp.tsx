import { CredentialsError, type Client } from '@orestes/sdk'
import { useRef, useState, type FormEvent } from 'react'
import { go, hrefOf } from '../app/route'
import { useTask } from '../app/useTask'
import { Problem } from '../ui/Problem'
import { Entrance } from './Entrance'

const LATE =
  'This link was used already, or is from an earlier start. If nobody has set a password, the next start prints a new link.'

/** Sets the first password of root with the token of the link that a new server prints, and logs in with it. */
export function SetUp({ client, token }: { readonly client: Client; readonly token: string }) {
  const [isShown, setShown] = useState(false)
  const repeated = useRef<HTMLInputElement>(null)
  /** The link works once; if only the log-in failed, it alone is tried again. */
  const isSet = useRef(false)
  const setUp = useTask(async (password: string) => {
    if (!isSet.current) {
      await client
        .request('/-/setup', { method: 'POST', body: { token, password } })
        .catch((error: unknown) => {
          throw error instanceof CredentialsError ? new Error(LATE) : error
        })
      isSet.current = true
    }
    // the token is worthless now and need not stay in the address and the history
    history.replaceState(null, '', location.pathname)
    await client.users.login('root', password)
    go(hrefOf('data'))
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    if (fields.get('password') === fields.get('repeated')) {
      void setUp.run(String(fields.get('password')))
    } else {
      setUp.setProblem('The two passwords differ.')
      repeated.current?.focus()
    }
  }
  const type = isShown ? 'text' : 'password'
  return (
    <Entrance title="Set the root password">
      <p className="quiet">
        This server is new and nobody owns it yet. Choose the password of the user <code>root</code>, who may
        do everything. The link works once.
      </p>
      <form className="stack" onSubmit={submit}>
        <input type="text" name="username" value="root" autoComplete="username" readOnly hidden />
        <label htmlFor="password">Password</label>
        <input id="password" name="password" type={type} autoComplete="new-password" required />
        <label htmlFor="repeated">The same again</label>
        <input
          id="repeated"
          name="repeated"
          type={type}
          autoComplete="new-password"
          ref={repeated}
          required
        />
        <label className="check">
          <input type="checkbox" checked={isShown} onChange={(event) => setShown(event.target.checked)} />{' '}
          Show what I type
        </label>
        <Problem text={setUp.problem} />
        <button className="button primary" disabled={setUp.isBusy}>
          Set password
        </button>
      </form>
    </Entrance>
  )
}
