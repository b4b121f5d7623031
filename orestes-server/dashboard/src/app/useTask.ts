import { useCallback, useRef, useState } from 'react'
import { messageOf } from '../server/messages'

/** Something that a user has begun: whether it is under way, and what went wrong with the last attempt. */
export interface Task<A extends unknown[]> {
  readonly run: (...args: A) => Promise<void>
  readonly isBusy: boolean
  /** Empty if nothing did. */
  readonly problem: string
  readonly setProblem: (problem: string) => void
}

/** Runs what a button or a form asks for, one at a time. */
export function useTask<A extends unknown[]>(work: (...args: A) => Promise<void>): Task<A> {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const latest = useRef(work)
  latest.current = work
  const running = useRef(false)
  const run = useCallback(async (...args: A) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setProblem('')
    try {
      await latest.current(...args)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      running.current = false
      setBusy(false)
    }
  }, [])
  return { run, isBusy, problem, setProblem }
}
