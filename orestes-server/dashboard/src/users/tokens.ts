import type { Client } from '@orestes/sdk'
import { keyIn } from '../server/values'

/** Header in which the server gives a caller another token. */
const FRESH = 'baqend-authorization-token'

/**
Makes a token by which a program may do what the user may.

@param seconds after which it is worth nothing; undefined for one that lasts until it is revoked
*/
export async function issueToken(
  client: Pick<Client, 'request'>,
  user: string,
  seconds: number | undefined,
): Promise<string> {
  const lifetime = seconds === undefined ? '' : `?lifetime=${seconds}`
  const { token } = (await client.request(`${pathOf(user)}${lifetime}`, { method: 'POST' })) as {
    readonly token: string
  }
  return token
}

/** Ends all sessions and tokens of a user. Returns the next token of the caller, if it was the caller's own; null for others. */
export async function revokeTokens(client: Pick<Client, 'response'>, user: string): Promise<string | null> {
  const { headers } = await client.response(pathOf(user), { method: 'DELETE' })
  return headers.get(FRESH)
}

function pathOf(user: string): string {
  return `/db/User/${encodeURIComponent(keyIn(user))}/token`
}
