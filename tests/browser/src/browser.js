/** A real Chromium, and observers of its network requests. */
import { chromium } from 'playwright-core'

/**
`ORESTES_TEST_CHROMIUM` is the path of the program. It connects to the server under test only.
*/
export function launch() {
  return chromium.launch(options())
}

/**
Launches one whose cache is on disk, in this folder, as a user's is; `launch` gives each context one
in memory.
*/
export function launchWithProfile(folder) {
  return chromium.launchPersistentContext(folder, options())
}

function options() {
  return {
    executablePath: process.env.ORESTES_TEST_CHROMIUM,
    // keeps pages in the back/forward cache, as users' browsers do
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      '--disable-sync',
      '--no-first-run',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  }
}

/** Collects the errors and warnings of the page, including violations of its security policy. */
export function complaints(page) {
  const found = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.push(message.text())
  })
  page.on('pageerror', (error) => found.push(String(error)))
  return found
}

/**
Records from now on the path of each GET of an object by the page, and whether it used the network.
*/
export async function watchObjectReads(page, bucket) {
  const prefix = `/v1/db/${bucket}/`
  const reads = []
  await watch(page, (url, isNetwork) => {
    const { pathname } = new URL(url)
    if (pathname.startsWith(prefix) && pathname !== `${prefix}query`) {
      reads.push({ path: pathname, isNetwork })
    }
  })
  return reads
}

/**
Records from now on the reads of the API below `base` by the page, and whether they used the
network, as the browser reports.
*/
export async function watchReads(page, base) {
  const reads = []
  await watch(page, (url, isNetwork) => {
    if (url.startsWith(`${base}/db/`)) {
      reads.push({ key: url.slice(base.length), isNetwork })
    }
  })
  return reads
}

async function watch(page, tell) {
  const session = await page.context().newCDPSession(page)
  const served = new Set()
  session.on('Network.requestServedFromCache', ({ requestId }) => served.add(requestId))
  session.on('Network.responseReceived', ({ requestId, response }) =>
    tell(response.url, !response.fromDiskCache && !served.has(requestId)),
  )
  await session.send('Network.enable')
}
