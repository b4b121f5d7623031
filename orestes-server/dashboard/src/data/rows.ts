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
  /**
  Says which rows are looked at.

  @param kept one more that has to stay, wherever it is
  */
  show(first: number, last: number, kept?: number): void
}

export const PAGE_SIZE = 100

/** Pages that stay in memory, those that are looked at among them. */
export const MOST_PAGES = 50

interface Page {
  readonly rows: readonly Row[]
  /** Of an earlier state: shown until the newer one is there. */
  readonly isOld: boolean
  /** Whether nothing is missing; a server may give fewer objects at once than a page has. */
  readonly isWhole: boolean
}

/** The part of the SDK's queries that pages need. */
export type Pageable = Pick<Query<{ [field: string]: unknown }>, 'count'> & {
  offset(offset: number): {
    limit(limit: number): Pick<Query<{ [field: string]: unknown }>, 'list'>
  }
}

/**
The result of a query, of which only what is looked at is loaded, page by page, and stays as long as there is room. What is
scrolled past is not waited for. How many there are is asked once a page is there: a count may have to look at every object, and
rows would wait for the processor that it takes. A page that is not full does not tell it, as servers may be set to hand out
less than is asked for.
*/
export class Rows implements RowSource {
  readonly #query: Pageable
  readonly #pages = new Map<number, Page>()
  readonly #loading = new Map<number, AbortController>()
  readonly #listeners = new Set<() => void>()
  #wanted: readonly [first: number, last: number] = [0, 0]
  /** The page of the row that has to stay. */
  #kept: number | undefined
  #counting: AbortController | undefined
  /** Whether it is known how many there are, or somebody has asked; false again once everything is loaded anew. */
  #isCounted = false
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
    return this.#pages.get(pageOf(index))?.rows[index % PAGE_SIZE]
  }

  indexOf(id: string): number | undefined {
    for (const [page, { rows }] of this.#pages) {
      const at = rows.findIndex((each) => each.id === id)
      if (at >= 0) return page * PAGE_SIZE + at
    }
    return undefined
  }

  show(first: number, last: number, kept?: number): void {
    this.#wanted = [pageOf(first), pageOf(Math.max(last, 0))]
    this.#kept = kept === undefined ? undefined : pageOf(kept)
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
    this.#isCounted = false
    this.#pages.forEach((page, number) => this.#pages.set(number, { ...page, isOld: true }))
    this.#loadWanted()
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
    this.#loadWanted()
    // a count that was given up when the last one left; pages that are there already do not ask for it
    if (this.#pages.size > 0) this.#count()
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
    if (this.#counting === undefined) return
    this.#counting.abort()
    this.#counting = undefined
    this.#isCounted = false
  }

  #loadWanted(): void {
    const [first, last] = this.#wanted
    for (let page = first; page <= last; page++) {
      if (this.#isMissing(page) && !this.#loading.has(page)) void this.#load(page)
    }
  }

  /** What is there of a page, and of no earlier state. */
  #newRows(number: number): readonly Row[] {
    const page = this.#pages.get(number)
    return page === undefined || page.isOld ? [] : page.rows
  }

  /** Whether something of a page is to be loaded; what is behind a short one is known with the count. */
  #isMissing(number: number): boolean {
    const page = this.#pages.get(number)
    if (page === undefined || page.isOld) return true
    return !page.isWhole && number * PAGE_SIZE + page.rows.length < (this.total ?? 0)
  }

  async #load(page: number): Promise<void> {
    const abort = new AbortController()
    this.#loading.set(page, abort)
    try {
      const known = this.#newRows(page).length
      const query = this.#query.offset(page * PAGE_SIZE + known).limit(PAGE_SIZE - known)
      const { data } = await query.list({ signal: abort.signal })
      if (abort.signal.aborted) return
      this.#took(page, data)
      this.#count()
      if (this.#isMissing(page)) void this.#load(page)
    } catch (error) {
      if (!abort.signal.aborted) {
        this.#failures.set(page, error as Error)
        this.#changed()
      }
    } finally {
      if (this.#loading.get(page) === abort) this.#loading.delete(page)
    }
  }

  #took(page: number, more: readonly Row[]): void {
    const rows = [...this.#newRows(page), ...more]
    this.#pages.set(page, { rows, isOld: false, isWhole: more.length === 0 || rows.length >= PAGE_SIZE })
    this.#failures.delete(page)
    this.#makeRoom()
    this.#changed()
  }

  /** Forgets what is farthest from what is looked at. */
  #makeRoom(): void {
    const [first, last] = this.#wanted
    const distance = (page: number) => Math.max(first - page, page - last)
    const others = [...this.#pages.keys()]
      .filter((page) => !this.#isWanted(page) && page !== this.#kept)
      .sort((a, b) => distance(b) - distance(a))
    others.slice(0, Math.max(0, this.#pages.size - MOST_PAGES)).forEach((page) => this.#pages.delete(page))
  }

  #count(): void {
    if (this.#isCounted) {
      return
    }
    this.#isCounted = true
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
        this.#loadWanted()
      })
      .catch((error: unknown) => {
        if (abort.signal.aborted) return
        this.#counting = undefined
        this.#isCounted = false
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

function pageOf(index: number): number {
  return Math.floor(index / PAGE_SIZE)
}
