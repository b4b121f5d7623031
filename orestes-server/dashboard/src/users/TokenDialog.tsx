import type { Stored, User } from '@orestes/sdk'
import { useState } from 'react'
import { keepSession, useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { Confirm } from '../ui/Confirm'
import { Dialog } from '../ui/Dialog'
import { Problem } from '../ui/Problem'
import { Snippet } from '../ui/Snippet'
import { issueToken, revokeTokens } from './tokens'

interface TokenDialogProps {
  readonly user: Stored<User>
  readonly close: () => void
}

const LIFETIMES: readonly (readonly [string, number | undefined])[] = [
  ['an hour', 3600],
  ['a day', 86_400],
  ['until it is revoked', undefined],
]

/** Makes tokens for programs, and ends all tokens of a user. A token is known to this dialog only, as long as it is open. */
export function TokenDialog({ user, close }: TokenDialogProps) {
  const { client } = useAdmin()
  const { id, username } = user
  const [lifetime, setLifetime] = useState(0)
  const [token, setToken] = useState<string>()
  const [isRevoking, setRevoking] = useState(false)
  const [said, setSaid] = useState('')
  const make = useTask(async () => {
    setSaid('')
    setToken(await issueToken(client, id, LIFETIMES[lifetime]?.[1]))
  })
  const revoke = async () => {
    const next = await revokeTokens(client, id)
    if (next !== null) keepSession(next)
    setToken(undefined)
    setRevoking(false)
    setSaid(`All sessions and tokens of ${username} have ended.`)
  }
  return (
    <Dialog title={`Tokens of ${username}`} close={close}>
      <p>
        Who has a token may do all that {username} may. The server keeps no list of them: they end by
        themselves, or all at once.
      </p>
      <div className="line">
        <label className="stack">
          It lasts
          <select data-first value={lifetime} onChange={(event) => setLifetime(Number(event.target.value))}>
            {LIFETIMES.map(([name], i) => (
              <option key={name} value={i}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="button primary"
          disabled={make.isBusy}
          onClick={() => void make.run()}
        >
          Make a token
        </button>
      </div>
      <Problem text={make.problem} />
      {token !== undefined && (
        <>
          <Snippet name="token" code={token} />
          <p className="quiet">
            It is shown here only, and gone when this is closed. Requests carry it as{' '}
            <code>Authorization: BAT …</code>
          </p>
        </>
      )}
      <p role="status">{said}</p>
      <footer>
        <button type="button" className="button danger" onClick={() => setRevoking(true)}>
          Revoke all tokens
        </button>
      </footer>
      {isRevoking && (
        <Confirm
          title={`Revoke all tokens of ${username}?`}
          action="Revoke"
          confirm={revoke}
          close={() => setRevoking(false)}
        >
          <p>It ends every session of {username}, all API tokens and signed URLs, at once.</p>
        </Confirm>
      )}
    </Dialog>
  )
}
