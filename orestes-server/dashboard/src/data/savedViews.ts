import type { View } from '../app/route'

/** A way to look at a class, under a name. */
export interface SavedView extends View {
  readonly name: string
  readonly isLive: boolean
}

/** The part of the browser's storage that views need. */
export type ViewStorage = Pick<Storage, 'getItem' | 'setItem'>

/** Each class has a key of its own, so that tabs with different classes do not write over each other. */
const PREFIX = 'orestes-dashboard-views/'

export const MOST_VIEWS = 50
export const LONGEST_NAME = 60

/** The saved views of a class, by their names. What somebody else has made of the storage counts as nothing. */
export class SavedViews {
  readonly #key: string
  readonly #storage: () => ViewStorage
  readonly #listeners = new Set<() => void>()
  #text: string | null = null
  #views: readonly SavedView[] = []

  /** @param storage may throw, as the storage itself may: browsers keep it from pages whose users want that */
  constructor(bucket: string, storage: () => ViewStorage) {
    this.#key = PREFIX + bucket
    this.#storage = storage
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells that another tab may have written. */
  readonly changed = (): void => this.#listeners.forEach((listener) => listener())

  /** The same list until something changes. */
  readonly all = (): readonly SavedView[] => {
    const text = this.#read()
    if (text !== this.#text) {
      this.#text = text
      this.#views = viewsIn(text)
    }
    return this.#views
  }

  has(name: string): boolean {
    return this.all().some((each) => each.name === name)
  }

  /**
  Saves a view in the place of the one that has its name.

  @throws if there are too many, or the browser does not keep it
  */
  save(view: SavedView): void {
    const others = this.all().filter(({ name }) => name !== view.name)
    if (others.length >= MOST_VIEWS) {
      throw new Error(`A class has at most ${MOST_VIEWS} saved views. Delete one of them first.`)
    }
    this.#write([...others, view])
  }

  /**
  Gives a view another name, in the place of the one that has it.

  @throws if it is gone, or the browser does not keep it
  */
  rename(from: string, to: string): void {
    if (!this.has(from)) throw new Error('The view is not there any more: another tab has deleted it.')
    const kept = this.all().filter(({ name }) => name === from || name !== to)
    this.#write(kept.map((each) => (each.name === from ? { ...each, name: to } : each)))
  }

  remove(name: string): void {
    this.#write(this.all().filter((each) => each.name !== name))
  }

  #read(): string | null {
    try {
      return this.#storage().getItem(this.#key)
    } catch {
      return null
    }
  }

  #write(views: readonly SavedView[]): void {
    const sorted = [...views].sort((a, b) => a.name.localeCompare(b.name))
    try {
      this.#storage().setItem(this.#key, JSON.stringify(sorted))
    } catch {
      throw new Error('This browser does not keep it: its storage is full, or kept from this page.')
    }
    this.changed()
  }
}

function viewsIn(text: string | null): readonly SavedView[] {
  const views = new Map(listIn(text).flatMap((each) => entryOf(each)))
  return [...views.values()].slice(0, MOST_VIEWS)
}

function listIn(text: string | null): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** A view with its name before it; nothing for what is none. */
function entryOf(value: unknown): readonly (readonly [string, SavedView])[] {
  if (typeof value !== 'object' || value === null) {
    return []
  }
  const { name, filter, sort, columns, isLive } = value as { readonly [key: string]: unknown }
  const isView = typeof name === 'string' && typeof filter === 'string' && typeof sort === 'string'
  // views of earlier versions say nothing of columns
  const shown = typeof columns === 'string' ? columns : ''
  return isView && isName(name)
    ? [[name, { name, filter, sort, columns: shown, isLive: isLive === true }]]
    : []
}

/** Whether a text can be the name of a view. */
export function isName(text: string): boolean {
  return text !== '' && text === text.trim() && text.length <= LONGEST_NAME
}
