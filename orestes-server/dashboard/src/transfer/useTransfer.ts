import { useEffect, useRef, useState } from 'react'
import { useTask } from '../app/useTask'

/** Something long that can be cancelled, with how far it has come. */
export interface Transfer<P, A extends unknown[]> {
  readonly run: (...args: A) => void
  readonly cancel: () => void
  readonly isBusy: boolean
  readonly isDone: boolean
  readonly isCancelled: boolean
  readonly problem: string
  /** Undefined before it began. */
  readonly progress: P | undefined
}

/** How often progress is shown. */
const EVERY_MILLIS = 100

/** Runs it, and cancels it when the component goes. What it throws of its own accord is a problem; an abort is none. */
export function useTransfer<P, A extends unknown[]>(
  work: (tell: (progress: P) => void, signal: AbortSignal, ...args: A) => Promise<P>,
): Transfer<P, A> {
  const abort = useRef(new AbortController())
  const [progress, setProgress] = useState<P>()
  const [outcome, setOutcome] = useState<'done' | 'cancelled'>()
  useEffect(() => () => abort.current.abort(), [])
  const task = useTask(async (...args: A) => {
    const { signal } = (abort.current = new AbortController())
    let last: P | undefined
    let shown = -Infinity
    const tell = (next: P) => {
      last = next
      if (performance.now() - shown < EVERY_MILLIS) return
      shown = performance.now()
      setProgress(next)
    }
    setProgress(undefined)
    setOutcome(undefined)
    try {
      last = await work(tell, signal, ...args)
      setOutcome('done')
    } catch (error) {
      if (!signal.aborted) throw error
      setOutcome('cancelled')
    } finally {
      setProgress(last)
    }
  })
  return {
    run: (...args) => void task.run(...args),
    cancel: () => abort.current.abort(),
    isBusy: task.isBusy,
    isDone: outcome === 'done',
    isCancelled: outcome === 'cancelled',
    problem: task.problem,
    progress,
  }
}
