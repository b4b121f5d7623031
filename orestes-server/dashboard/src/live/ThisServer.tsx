import { useCallback } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { groupText, type Member } from './group'

interface Health {
  readonly coordinator: { readonly servers: readonly Member[] }
}

/** Says which server of a group the page is about; nothing where there is one. */
export function ThisServer() {
  const { client } = useAdmin()
  const load = useCallback(
    async (signal: AbortSignal) => (await client.request('/-/health', { signal })) as Health,
    [client],
  )
  const text = groupText(useLoaded(load).data?.coordinator.servers ?? [])
  return text === undefined ? null : (
    <p className="quiet" role="status">
      {text}
    </p>
  )
}
