/** A real Chromium, and a look at what it asks of the network. */
import { chromium } from 'playwright-core'

/** `ORESTES_TEST_CHROMIUM` is the path of the program. It talks to nobody but the server under test. */
export function launch() {
  return chromium.launch(options())
}

/** One whose cache is on disk, in this folder, as a user's is; `launch` gives each context one in memory. */
export function launchWithProfile(folder) {
  return chromium.launchPersistentContext(folder, options())
}

function options() {
  return {
    executablePath: process.env.ORESTES_TEST_CHROMIUM,
    // pages that were left are kept as they are, as users' browsers do
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

/** Collects what the page complains about; violations of its security policy are among it. */
export function complaints(page) {
  const found = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.push(message.text())
  })
  page.on('pageerror', (error) => found.push(String(error)))
  return found
}

/** From now on: the path of each GET of an object that the page makes, and whether it went over the network. */
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

/** From now on: what of the API below `base` the page reads, and whether it went over the network, as the browser says. */
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
