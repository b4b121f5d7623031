import { mark } from './caching/source.js'

/** A function that calls `fetch` without `this`, which that of browsers does not take from others. */
export function plainFetch(given?: typeof fetch): typeof fetch {
  const send = given ?? globalThis.fetch
  return given === undefined && !hasCache()
    ? async (input, init) => mark(await send(input, init), false)
    : (input, init) => send(input, init)
}

/** Whether `fetch` comes with a cache, as in pages and their workers, but not under Node. */
function hasCache(): boolean {
  return 'document' in globalThis || 'WorkerGlobalScope' in globalThis
}
