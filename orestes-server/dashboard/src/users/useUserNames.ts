import type { User } from '@orestes/sdk'
import { useEffect, useState } from 'react'
import { useAdmin } from '../app/session'
import { keyIn } from '../server/values'

/** How long rows have to be looked at before it is asked what they are called, so that a long scroll asks for its end only. */
const SETTLED_MILLIS = 60

/** What users are called, by their ids, of those that are or were looked at; the key for those who are gone. */
export function useUserNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { client } = useAdmin()
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const missing = ids.filter((id) => !names.has(id)).join(' ')
  useEffect(() => {
    if (missing === '') return undefined
    const abort = new AbortController()
    const wanted = missing.split(' ')
    const load = async () => {
      const query = client.bucket<User>('User').find({ id: { $in: wanted } })
      const { data } = await query.limit(wanted.length).list({ signal: abort.signal })
      // a server that gives fewer than are asked for is asked for the others, until there are none
      const found = data.length === 0 ? wanted.map((id) => [id, keyIn(id)] as const) : data.map(nameOf)
      setNames((before) => new Map([...before, ...found]))
    }
    // who is not known is shown by the key
    const timer = setTimeout(() => void load().catch(() => {}), SETTLED_MILLIS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [client, missing])
  return names
}

function nameOf({ id, username }: { readonly id: string; readonly username: string }) {
  return [id, username] as const
}
