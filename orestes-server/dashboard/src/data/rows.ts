import type { Query, Stored } from '@orestes/sdk'

/** An object of any class. */
export type Row = Stored<{ [field: string]: unknown }>

/** What a table shows: objects by their position in the order. */
export interface RowSource {
  /** How many there are; undefined as long as nobody knows. */
  readonly total: number | undefined
  /** Why there are none, or no newer ones. */
  readonly error: Error | undefined
  /** Undefined as long as it is not loaded. */
  row(index: number): Row | undefined
  /** Where an object is; undefined if it is not there, or not loaded. */
  indexOf(id: string): number | undefined
  /** Says which rows are looked at. */
  show(first: number, last: number): void
}

export const PAGE_SIZE = 100

interface Page {
  readonly rows: readonly Row[]
  /** Of an earlier state: shown until the newer one is there. */
  readonly isOld: boolean
}

/** The part of the SDK's queries that pages need. */
export type Pageable = Pick<Query<{ [field: string]: unknown }>, 'count'> & {
  offset(offset: number): {
    limit(limit: number): Pick<Query<{ [field: string]: unknown }>, 'list'>
  }
}

/** The result of a query, of which only what is looked at is loaded, page by page. What is scrolled past is not waited for. */
export class Rows implements RowSource {
  readonly #query: Pageable
  readonly #pages = new Map<number, Page>()
  readonly #loading = new Map<number, AbortController>()
  readonly #listeners = new Set<() => void>()
  #wanted: readonly [first: number, last: number] = [0, 0]
  #counting: AbortController | undefined
  #version = 0
  /** What went wrong with the last request for a page, by its number. */
  readonly #failures = new Map<number, Error>()
  #countFailure: Error | undefined
  total: number | undefined

  constructor(query: Pageable) {
    this.#query = query
  }

  /** Of a page that is looked at, or of the count. */
  get error(): Error | undefined {
    const failed = [...this.#failures.keys()].find((page) => this.#isWanted(page))
    return failed === undefined ? this.#countFailure : this.#failures.get(failed)
  }

  row(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / PAGE_SIZE))?.rows[index % PAGE_SIZE]
  }

  indexOf(id: string): number | undefined {
    for (const [page, { rows }] of this.#pages) {
      const at = rows.findIndex((each) => each.id === id)
      if (at >= 0) return page * PAGE_SIZE + at
    }
    return undefined
  }

  show(first: number, last: number): void {
    this.#wanted = [Math.floor(first / PAGE_SIZE), Math.floor(Math.max(last, 0) / PAGE_SIZE)]
    for (const [page, abort] of this.#loading) {
      if (this.#isWanted(page)) continue
      abort.abort()
      this.#loading.delete(page)
    }
    this.#loadWanted()
  }

  /** Loads everything anew; what is shown stays until then. */
  refresh(): void {
    this.#stop()
    this.#failures.clear()
    this.#countFailure = undefined
    this.#pages.forEach((page, number) => this.#pages.set(number, { ...page, isOld: true }))
    this.#loadWanted()
    this.#count()
  }

  /** Shows an object as it is now in the place where it was, whatever the order says. */
  put(row: Row): void {
    this.#pages.forEach((page, number) => {
      if (page.rows.some(({ id }) => id === row.id)) {
        const rows = page.rows.map((each) => (each.id === row.id ? row : each))
        this.#pages.set(number, { ...page, rows })
      }
    })
    this.#changed()
  }

  /** Calls back after each change, and loads nothing any more when the last one has left. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (this.total === undefined) this.#count()
    this.#loadWanted()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  /** Another number after each change. */
  readonly version = (): number => this.#version

  #stop(): void {
    this.#loading.forEach((abort) => abort.abort())
    this.#loading.clear()
    this.#counting?.abort()
    this.#counting = undefined
  }

  #loadWanted(): void {
    const [first, last] = this.#wanted
    for (let page = first; page <= last; page++) {
      const isKnown = this.#pages.get(page)?.isOld === false
      if (!isKnown && !this.#loading.has(page)) void this.#load(page)
    }
  }

  async #load(page: number): Promise<void> {
    const abort = new AbortController()
    this.#loading.set(page, abort)
    try {
      const query = this.#query.offset(page * PAGE_SIZE).limit(PAGE_SIZE)
      const { data } = await query.list({ signal: abort.signal })
      if (!abort.signal.aborted) {
        this.#pages.set(page, { rows: data, isOld: false })
        this.#failures.delete(page)
        this.#changed()
      }
    } catch (error) {
      if (!abort.signal.aborted) {
        this.#failures.set(page, error as Error)
        this.#changed()
      }
    } finally {
      if (this.#loading.get(page) === abort) this.#loading.delete(page)
    }
  }

  #count(): void {
    if (this.#counting) {
      return
    }
    const abort = new AbortController()
    this.#counting = abort
    this.#query
      .count({ signal: abort.signal })
      .then(({ data }) => {
        if (abort.signal.aborted) return
        this.total = data
        this.#counting = undefined
        this.#countFailure = undefined
        this.#changed()
      })
      .catch((error: unknown) => {
        if (abort.signal.aborted) return
        this.#counting = undefined
        this.#countFailure = error as Error
        this.#changed()
      })
  }

  #isWanted(page: number): boolean {
    return page >= this.#wanted[0] && page <= this.#wanted[1]
  }

  #changed(): void {
    this.#version++
    this.#listeners.forEach((listener) => listener())
  }
}
