import { type DeviceNetwork, thisDevice } from '../connectivity.js'

/**
Store of the token of a session. `memory` ends with the page; `web` survives it and is shared by all
tabs.

@example
```ts
const db = await connect('https://api.example.com', { tokens: webTokens() })
```
*/
export interface TokenStore {
  get(): string | null
  set(token: string | null): void
  /** Calls back when another tab has set another token; returns its undo. */
  onChange?(listener: () => void): () => void
  /** Runs a task in one tab at a time; without it there are no other tabs. */
  exclusively?<T>(task: () => Promise<T>): Promise<T>
}

/**
Stores the token as long as the client lives.

@example
```ts
const db = await connect('http://127.0.0.1:8080', { tokens: memoryTokens('a token of before') })
```
*/
export function memoryTokens(token: string | null = null): TokenStore {
  let current = token
  return {
    get: () => current,
    set: (next) => {
      current = next
    },
  }
}

/** Browser objects of {@link webTokens}. */
export interface WebTokensOptions {
  /** @default globalThis.localStorage */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Name of its entry; different for servers with users of their own. @default 'orestes-token' */
  readonly key?: string
  /** @default globalThis.navigator.locks */
  readonly locks?: Pick<LockManager, 'request'>
  /** Source of storage events of other tabs. @default globalThis */
  readonly events?: Pick<DeviceNetwork, 'addEventListener' | 'removeEventListener'>
}

/**
Stores the token in the storage of the page's origin; without such a storage, as on a server or if
the user forbids it, as long as the client lives. A login or logout in one tab applies to all, and
they renew the token one at a time.

@example
```ts
const db = await connect('https://api.example.com', { tokens: webTokens({ key: 'my-app' }) })
```
*/
export function webTokens(options: WebTokensOptions = {}): TokenStore {
  const { key = 'orestes-token', storage = pageStorage(), events = thisDevice } = options
  if (storage === undefined) {
    return memoryTokens()
  }
  const locks = options.locks ?? globalThis.navigator?.locks
  return {
    get: () => storage.getItem(key),
    set: (token) => (token === null ? storage.removeItem(key) : storage.setItem(key, token)),
    onChange: (listener) => {
      // a null key means that all of the storage was cleared
      const heed = (event: Event) => {
        const changed = (event as StorageEvent).key
        if (changed === key || changed === null) listener()
      }
      events.addEventListener('storage', heed)
      return () => events.removeEventListener('storage', heed)
    },
    ...(locks && { exclusively: async (task) => (await locks.request(key, task)) as never }),
  }
}

/** Browsers throw on any access to a storage that the user forbids. */
function pageStorage(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

/**
Returns whether the second half of a token's life has begun, in which the next one is adopted. The
first 16 characters of a token are the seconds since 1970 when it begins and ends, in hex (protocol,
section 5.1).
*/
export function isDue(token: string, now: number): boolean {
  const [, created, expires] = /^([0-9a-f]{8})([0-9a-f]{8})/.exec(token) ?? []
  return now / 1000 > (parseInt(created ?? '', 16) + parseInt(expires ?? '', 16)) / 2
}
