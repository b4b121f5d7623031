import { useCallback, useEffect, useRef, useState } from 'react'
import { keepLoading } from '../app/loading'
import { useAdmin } from '../app/session'
import { loadPage, NOTHING, withPage, type LogFilter, type Shown } from './entries'

const EVERY_MILLIS = 1000

/** What a log shows, or why there is no more of it. */
export interface Tail {
  /** Undefined until the server has answered. */
  readonly shown: Shown | undefined
  readonly error: Error | undefined
  readonly retry: () => void
}

interface TailState {
  readonly filter: LogFilter
  readonly shown?: Shown
  readonly error?: Error
}

/** Reads the log from its newest entries on, while the page is looked at; with `isFollowing` again and again. */
export function useTail(filter: LogFilter, isFollowing: boolean): Tail {
  const { client } = useAdmin()
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<TailState>({ filter })
  const latest = useRef(state)
  const follows = useRef(isFollowing)
  follows.current = isFollowing
  useEffect(() => {
    const known = () => (latest.current.filter === filter ? latest.current.shown : undefined)
    const set = (next: TailState) => {
      latest.current = next
      setState(next)
    }
    return keepLoading({
      load: (signal) => loadPage(client, filter, known()?.after ?? '', signal),
      loaded: (page) => {
        const shown = withPage(known() ?? NOTHING, page)
        if (shown !== known() || latest.current.error !== undefined) set({ filter, shown })
      },
      failed: (error) => {
        const shown = known()
        set({ filter, error, ...(shown && { shown }) })
      },
      everyMillis: EVERY_MILLIS,
      isHidden: () => document.hidden || !follows.current,
    })
  }, [client, filter, attempt])
  const { shown, error } = state.filter === filter ? state : {}
  return { shown, error, retry: useCallback(() => setAttempt((n) => n + 1), []) }
}
