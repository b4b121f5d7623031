import type { Permission } from '@orestes/sdk'
import { useCallback } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'

const CALLERS = { User: 'username', Role: 'name' } as const

/** What the users and roles are called that permissions name, by their ids; those that are gone are left out. */
export function useCallerNames(permissions: readonly Permission[]): ReadonlyMap<string, string> {
  const { client } = useAdmin()
  const ids = [...new Set(permissions.flatMap((each) => Object.keys(each)))].sort().join(' ')
  const load = useCallback(
    async (signal: AbortSignal) => {
      const named = await Promise.all(
        Object.entries(CALLERS).map(async ([bucket, field]) => {
          const wanted = ids.split(' ').filter((id) => id.startsWith(`/db/${bucket}/`))
          if (wanted.length === 0) return []
          const found = client.bucket<{ [name: string]: string }>(bucket).find({ id: { $in: wanted } })
          return (await found.list({ signal })).data.map((each) => [each.id, each[field] ?? ''] as const)
        }),
      )
      return new Map(named.flat())
    },
    [client, ids],
  )
  return useLoaded(load).data ?? NONE
}

const NONE: ReadonlyMap<string, string> = new Map()
