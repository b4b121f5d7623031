/**
Measures how long pages of the dashboard take until they are usable, as one JSON object a line.
Called by tests/browser/measure.sh.
*/
import { launch } from '../src/browser.js'
import { LOG_IN, PLACES } from './places.js'
import { untilUseful } from './useful.js'

const LIVE_QUERIES = 20

/** The viewport of the tests. */
const WINDOW = { viewport: { width: 1280, height: 800 } }

const [base, rounds] = process.argv.slice(2)
const token = process.env.ORESTES_TOKEN
const asRoot = { Authorization: `BAT ${token}` }

/** Has the session of a returning admin; everything else is empty, the HTTP cache, too. */
const LOGGED_IN = {
  cookies: [],
  origins: [{ origin: base, localStorage: [{ name: 'orestes-dashboard-token', value: token }] }],
}

/** Opens a page in a browser without any state of it, and measures when it was usable. */
async function open(browser, place, state) {
  const context = await browser.newContext({ ...WINDOW, storageState: state })
  const page = await context.newPage()
  await page.addInitScript(`window.untilUseful = ${untilUseful}
    window.useful = untilUseful(${JSON.stringify(place)})`)
  await page.goto(`${base}/dashboard/${place.at}`, { waitUntil: 'commit' })
  return { page, millis: await page.evaluate(() => window.useful) }
}

/** Waits until nothing is under way that would disturb the next measurement. */
function rest(page) {
  return page.waitForLoadState('networkidle')
}

/** Measures the first load, and another one with what the browser has cached of it. */
async function load(browser, place, state) {
  const { page, millis: cold } = await open(browser, place, state)
  await rest(page)
  await page.reload({ waitUntil: 'commit' })
  const reload = await page.evaluate(() => window.useful)
  await page.context().close()
  return { cold, reload }
}

/** Measures the navigation by a link from another page, which has been open for a while. */
async function click(browser, place) {
  const from = place === PLACES.settings ? PLACES.health : PLACES.settings
  const { page } = await open(browser, from, LOGGED_IN)
  await rest(page)
  const millis = await page.evaluate(async (to) => {
    const useful = window.untilUseful(to)
    const began = performance.now()
    location.hash = to.at
    return (await useful) - began
  }, place)
  await page.context().close()
  return { click: millis }
}

function tell(page, times) {
  for (const [way, millis] of Object.entries(times)) console.log(JSON.stringify({ page, way, millis }))
}

/** Subscriptions; Node closes unreferenced ones. */
const streams = []

/** Produces activity for the pages that show it. */
async function keepBusy() {
  for (let i = 0; i < LIVE_QUERIES; i++) {
    const query = encodeURIComponent(JSON.stringify({ shelf: i }))
    const stream = await fetch(`${base}/v1/db/Item/events?q=${query}&initial=false`, { headers: asRoot })
    if (!stream.ok) throw new Error(await stream.text())
    streams.push(stream)
    await (await fetch(`${base}/v1/db/Item/e${i}`)).text()
  }
}

await keepBusy()
const browser = await launch()
try {
  // the first round warms the server up, and is not reported
  for (let round = 0; round <= rounds; round++) {
    const counts = round > 0 ? tell : () => {}
    counts('log-in', await load(browser, LOG_IN))
    for (const [name, place] of Object.entries(PLACES)) {
      counts(name, await load(browser, place, LOGGED_IN))
      counts(name, await click(browser, place))
    }
  }
} finally {
  await browser.close()
}
process.exit(0)
