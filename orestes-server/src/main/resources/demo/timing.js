/** What requests cost, from the browser's own account of them (Resource Timing). */

const PATIENCE_MILLIS = 1000
const waiting = []

const observer = new PerformanceObserver((list) => {
  list.getEntries().forEach(settle)
  performance.clearResourceTimings()
})
observer.observe({ type: 'resource' })

function settle(entry) {
  waiting.find(({ url, since }) => url === entry.name && entry.startTime >= since - 1)?.settle(entry)
}

/**
 * Runs a request for the URL, to the end of its body, and returns its result beside the browser's entry for it; without an
 * entry if the browser makes none. Of each URL one run at a time; of its requests the last counts, if each is announced.
 */
export async function measure(path, run) {
  const waiter = { url: absolute(path) }
  restart(waiter)
  waiting.push(waiter)
  try {
    const result = await run()
    return { result, entry: await Promise.race([waiter.entry, pause()]) }
  } finally {
    waiting.splice(waiting.indexOf(waiter), 1)
  }
}

/** Says that a request for the URL is about to be made. */
export function announce(path) {
  waiting.filter(({ url }) => url === absolute(path)).forEach(restart)
}

function restart(waiter) {
  waiter.since = performance.now()
  waiter.entry = new Promise((resolve) => (waiter.settle = resolve))
}

function absolute(path) {
  return new URL(path, location.href).href
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
