/** A function that calls `fetch` without `this`, which that of browsers does not take from others. */
export function plainFetch(given: typeof fetch = globalThis.fetch): typeof fetch {
  return (input, init) => given(input, init)
}
