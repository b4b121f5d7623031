/** A real Chromium, and a look at what it asks of the network. */
import { chromium } from 'playwright-core'

/** `ORESTES_TEST_CHROMIUM` is the path of the program. It talks to nobody but the server under test. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.ORESTES_TEST_CHROMIUM,
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      '--disable-sync',
      '--no-first-run',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
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
  const session = await page.context().newCDPSession(page)
  const prefix = `/v1/db/${bucket}/`
  const served = new Set()
  const reads = []
  session.on('Network.requestServedFromCache', ({ requestId }) => served.add(requestId))
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname } = new URL(response.url)
    if (pathname.startsWith(prefix) && pathname !== `${prefix}query`) {
      reads.push({ path: pathname, isNetwork: !response.fromDiskCache && !served.has(requestId) })
    }
  })
  await session.send('Network.enable')
  return reads
}
