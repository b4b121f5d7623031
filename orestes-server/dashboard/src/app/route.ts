import { bucketOf } from '@orestes/sdk'
import { useSyncExternalStore } from 'react'
import { keyIn } from '../server/values'

/** How a class is looked at; kept in the address, so that a view can be sent to somebody. */
export interface View {
  /** MongoDB filter, as JSON text; empty for all objects. */
  readonly filter: string
  /** Path of a field, with `-` before it for the other direction; empty for the order of ids. */
  readonly sort: string
  /** Paths of the columns that are shown, in order and separated by commas; empty for all. */
  readonly columns: string
}

export type Page =
  | 'data'
  | 'schema'
  | 'users'
  | 'explain'
  | 'live'
  | 'caching'
  | 'health'
  | 'logs'
  | 'api'
  | 'settings'

/** A place of the dashboard, as the part of the address behind `#` says it. */
export interface Route extends View {
  readonly page: Page
  /** Name of a class, where one is chosen. */
  readonly bucket: string | undefined
  /** Key of an object, where one is open. */
  readonly key: string | undefined
  /** Name of a user, where one is meant; empty where none is. */
  readonly user: string
  /** Token of the link that a new server prints. */
  readonly setupToken: string | null
}

const PAGES: readonly Page[] = [
  'data',
  'schema',
  'users',
  'explain',
  'live',
  'caching',
  'health',
  'logs',
  'api',
  'settings',
]
const ALL: View = { filter: '', sort: '', columns: '' }

/** What the part behind `#` leads to; the data page for what leads nowhere. */
export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#/, '')
  const [path = '', search = ''] = text.split('?', 2)
  const [, page, bucket, key] = path.split('/').map(decoded)
  const parameters = new URLSearchParams(search)
  return {
    page: PAGES.find((each) => each === page) ?? 'data',
    bucket: bucket || undefined,
    key: key || undefined,
    filter: parameters.get('q') ?? '',
    sort: parameters.get('sort') ?? '',
    columns: parameters.get('columns') ?? '',
    user: parameters.get('user') ?? '',
    setupToken: text.startsWith('setup=') ? new URLSearchParams(text).get('setup') : null,
  }
}

/** The address of a page, of a class or an object on it, and of a way to look at the class. */
export function hrefOf(page: Page, bucket?: string, key?: string, view: View = ALL): string {
  const { filter, sort, columns } = view
  const path = [page, bucket, key].filter((part) => part !== undefined).map(encodeURIComponent)
  const search = new URLSearchParams({
    ...(filter && { q: filter }),
    ...(sort && { sort }),
    ...(columns && { columns }),
  }).toString()
  return `#/${path.join('/')}${search && `?${search}`}`
}

/** The address of an object, beside the table of its class; the view is that of the class that is shown, and stays if it is the object's. */
export function hrefOfObject(id: string, shown: string, view: View): string {
  const bucket = bucketOf(id)
  return hrefOf('data', bucket, keyIn(id), bucket === shown ? view : ALL)
}

/** The address of the question what a user may do. */
export function hrefOfUser(username: string): string {
  return `${hrefOf('explain')}?${new URLSearchParams({ user: username }).toString()}`
}

/** Goes to an address made by {@link hrefOf}. */
export function go(href: string): void {
  location.hash = href
}

/** Where the user is; follows the address. */
export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(onHashChange, () => location.hash))
}

function onHashChange(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** Addresses are typed by people, too: what is not encoded as it should be stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
