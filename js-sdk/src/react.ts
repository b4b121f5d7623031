/** Entry point `@orestes/sdk/react`: hooks that show live queries and objects. */
import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useMemo,
  useSyncExternalStore,
} from 'react'
import type { Query } from './query/query.js'
import { type Found, RENDERED, type Watch, type Watched } from './watching/watch.js'
import { type AnyClient, keyOf, queryOf, type Snapshot, Watches } from './watching/watches.js'
import type { Stored } from './wire.js'

export { takeSnapshot, type Wanted } from './watching/snapshot.js'
export type { Found, Watched } from './watching/watch.js'
export type { AnyClient, Snapshot } from './watching/watches.js'

/** Properties of {@link OrestesProvider}. */
export interface OrestesProviderProps {
  readonly client: AnyClient
  /** The data that the server has rendered; has to be the same there and in the browser. */
  readonly snapshot?: Snapshot
  readonly children?: ReactNode
}

/** Options of a hook. */
export interface HookOptions {
  /**
  Suspends until there is a result, and throws to the error boundary if there will be none. @default
  false
  */
  readonly suspense?: boolean
}

interface Provided {
  readonly client: AnyClient
  readonly snapshot: Snapshot
}

const Context = createContext<Provided | undefined>(undefined)
const NOTHING: Snapshot = {}

/**
Provides the hooks below it with their client. Their queries have to be of this client.

@example
```ts
import { createElement } from 'react'

const page = createElement(OrestesProvider, { client: db }, 'the application')
```
*/
export function OrestesProvider({ client, snapshot = NOTHING, children }: OrestesProviderProps): ReactNode {
  const value = useMemo(() => ({ client, snapshot }), [client, snapshot])
  return createElement(Context.Provider, { value }, children)
}

/**
Shows the result of a query, live, with optimistic writes. Equal queries share one subscription, so
they may be created anew with each rendering. The first result may come from a cache, within the
client's bound.

@example
```ts
function OpenTodos() {
  const { data } = useLive(db.bucket('Todo').find({ done: false }).sort({ text: 1 }), { suspense: true })
  return data.map(({ text }) => text).join(', ')
}
```
*/
export function useLive<T extends object>(
  query: Query<T>,
  options: HookOptions & { readonly suspense: true },
): Found<readonly Stored<T>[]>
export function useLive<T extends object>(
  query: Query<T>,
  options?: HookOptions,
): Watched<readonly Stored<T>[]>
export function useLive<T extends object>(
  query: Query<T>,
  { suspense = false }: HookOptions = {},
): Watched<readonly Stored<T>[]> {
  const { client, snapshot } = useProvided()
  const key = keyOf(query)
  const watch = Watches.of(client).of(query, snapshot)
  const atServer = useMemo(() => serverState(watch, snapshot[key]), [watch, snapshot, key])
  const state = useSyncExternalStore(watch.subscribe, watch.current, () => atServer ?? watch.current())
  if (suspense && state.data === undefined) {
    // React expects a component to throw the promise of missing data
    throw state.error ?? watch.load()
  }
  return state
}

/**
Shows one object, live, with optimistic writes: null if there is none, or it may not be read.

@param ref its id

@example
```ts
function Title({ id }: { id: string }) {
  const { data: todo, error } = useObject<Todo>(id)
  return todo?.text ?? error?.message ?? ''
}
```
*/
export function useObject<T extends object>(
  ref: string,
  options: HookOptions & { readonly suspense: true },
): Found<Stored<T> | null>
export function useObject<T extends object>(ref: string, options?: HookOptions): Watched<Stored<T> | null>
export function useObject<T extends object>(
  ref: string,
  options: HookOptions = {},
): Watched<Stored<T> | null> {
  const { client } = useProvided()
  const query = useMemo(() => queryOf<T>(client, ref), [client, ref])
  const state = useLive(query, options)
  return useMemo(() => ({ ...state, data: state.data && (state.data[0] ?? null) }), [state])
}

/**
Returns the client of the provider above.

@example
```ts
function DoneButton({ id }: { id: string }) {
  const client = useClient()
  return () => optimistic(client).bucket<Todo>('Todo').update(id, { $set: { done: true } })
}
```
*/
export function useClient(): AnyClient {
  return useProvided().client
}

function useProvided(): Provided {
  const provided = useContext(Context)
  if (provided === undefined) {
    throw new TypeError('There is no OrestesProvider above this component')
  }
  return provided
}

/** Returns the state for hydration; later results come with the next rendering. */
function serverState<T extends object>(
  watch: Watch<T>,
  rendered: readonly unknown[] | undefined,
): Watched<readonly Stored<T>[]> | undefined {
  return (
    rendered && {
      ...watch.current(),
      data: rendered as readonly Stored<T>[],
      ...RENDERED,
      isConnected: false,
      pending: [],
    }
  )
}
