/** What requests cost, from the browser's own account of them (Resource Timing). */

const PATIENCE_MILLIS = 1000
const waiting = []

const observer = new PerformanceObserver((list) => {
  list.getEntries().forEach(settle)
  performance.clearResourceTimings()
})
observer.observe({ type: 'resource' })

function settle(entry) {
  const i = waiting.findIndex(({ url, since }) => url === entry.name && entry.startTime >= since - 1)
  if (i >= 0) waiting.splice(i, 1)[0].resolve(entry)
}

/**
 * Runs a request for the URL, to the end of its body, and returns its result beside the browser's entry for it; without an
 * entry if the browser makes none. Of each URL one request at a time.
 */
export async function measure(path, run) {
  const url = new URL(path, location.href).href
  const waiter = { url, since: performance.now() }
  const entry = new Promise((resolve) => Object.assign(waiter, { resolve }))
  waiting.push(waiter)
  try {
    const result = await run()
    return { result, entry: await Promise.race([entry, pause()]) }
  } finally {
    const i = waiting.indexOf(waiter)
    if (i >= 0) waiting.splice(i, 1)
  }
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MILLIS))
}

/**
 * Where an answer came from: 'browser', 'unchanged' (the browser's copy, confirmed by the server), 'cache' or 'store'. Of what
 * crossed the network the browser counts nothing for its own copy, 300 bytes for headers alone, else the body as well.
 */
export function origin(entry, headers) {
  const isFromCopy = entry !== undefined && entry.encodedBodySize > 0 && entry.transferSize <= 300
  if (isFromCopy) return entry.transferSize === 0 ? 'browser' : 'unchanged'
  return headers.get('Orestes-Cache') === 'hit' ? 'cache' : 'store'
}
