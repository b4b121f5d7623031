/** What loading something again and again takes. */
export interface LoadingOptions<T> {
  readonly load: (signal: AbortSignal) => Promise<T>
  readonly loaded: (data: T) => void
  readonly failed: (error: Error) => void
  /** Pause after each answer before it is loaded again; undefined for once. */
  readonly everyMillis: number | undefined
  /** Whether nobody looks; then it is not loaded again. */
  readonly isHidden: () => boolean
}

/** Loads something at once, whether or not anybody looks at the page by now, and then again and again; returns its end. */
export function keepLoading<T>({
  load,
  loaded,
  failed,
  everyMillis,
  isHidden,
}: LoadingOptions<T>): () => void {
  const abort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    if (everyMillis === undefined || abort.signal.aborted) return
    timer = setTimeout(() => (isHidden() ? wait() : run()), everyMillis)
  }
  const run = () => {
    load(abort.signal)
      .then(
        (data) => abort.signal.aborted || loaded(data),
        (error: Error) => abort.signal.aborted || failed(error),
      )
      .finally(wait)
  }
  run()
  return () => {
    abort.abort()
    clearTimeout(timer)
  }
}
