import { mark } from './caching/source.js'

/**
Returns a function that calls `fetch` without `this`, since that of browsers accepts no other
`this`.
*/
export function plainFetch(given?: typeof fetch): typeof fetch {
  const send = given ?? globalThis.fetch
  return given === undefined && !hasCache()
    ? async (input, init) => mark(await send(input, init), false)
    : (input, init) => send(input, init)
}

/** True if `fetch` has a cache, as in pages and their workers, but not under Node. */
function hasCache(): boolean {
  return 'document' in globalThis || 'WorkerGlobalScope' in globalThis
}
