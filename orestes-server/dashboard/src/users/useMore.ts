import type { Query, Stored, User } from '@orestes/sdk'
import { useState } from 'react'
import { useTask, type Task } from '../app/useTask'

/** Users behind those that are followed live, as they were when they were loaded. */
export interface More {
  readonly users: readonly Stored<User>[]
  /** Whether there may be some that are not loaded. */
  readonly isMore: boolean
  readonly load: Task<[]>
}

/**
Loads users page by page: each page begins behind the last name of the one before, so that it takes the same time however many there are.

@param query by name
@param first those that are followed live; when the last of them is another one, what is behind them has to be loaded again
@param size of a page, and of a full list of those that are followed
*/
export function useMore(query: Query<User> | undefined, first: readonly Stored<User>[], size: number): More {
  const end = first.length < size ? undefined : first.at(-1)?.username
  const [pages, setPages] = useState<{
    readonly of: typeof query
    readonly behind: string | undefined
    readonly users: readonly Stored<User>[]
    readonly isWhole: boolean
  }>({ of: query, behind: end, users: [], isWhole: false })
  const isOfThese = pages.of === query && pages.behind === end
  const users = isOfThese ? pages.users : []
  const load = useTask(async () => {
    const last = users.at(-1)?.username ?? end
    if (query === undefined || last === undefined) return
    const { data } = await query
      .filter({ username: { $gt: last } })
      .limit(size)
      .list()
    setPages({ of: query, behind: end, users: [...users, ...data], isWhole: data.length < size })
  })
  return { users, isMore: end !== undefined && !(isOfThese && pages.isWhole), load }
}
