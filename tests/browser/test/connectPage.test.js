import assert from 'node:assert/strict'
import { after, before, beforeEach, afterEach, describe, test } from 'node:test'
import { launch } from '../src/browser.js'
import { Server, dataFolder } from '../src/server.js'

const STORED = 'oauth-response'

/** Messages to the page that carries calls, as the window around it sends them (protocol §4.3). */
describe('connectPage', () => {
  let browser, data, server, page, connect

  before(async () => {
    data = await dataFolder()
    server = await Server.start(data.path)
    browser = await launch()
  })

  after(async () => {
    await browser?.close()
    await server?.stop()
    await data?.remove()
  })

  beforeEach(async () => {
    page = await browser.newPage()
    await page.goto(`${server.base}/v1/-/live`)
    await page.evaluate(async (src) => {
      window.replies = []
      window.addEventListener('message', ({ data }) => window.replies.push(JSON.parse(data)))
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
      await new Promise((loaded) => frame.addEventListener('load', loaded))
    }, `${server.base}/v1/connect`)
    connect = page.frames().find((frame) => frame.url().endsWith('/connect'))
  })

  afterEach(() => page?.close())

  function send(message) {
    return page.evaluate(
      (sent) => document.querySelector('iframe').contentWindow.postMessage(JSON.stringify(sent), '*'),
      message,
    )
  }

  /** Ends the provider's log-in as its window does. */
  function end(text) {
    return connect.evaluate(([key, value]) => localStorage.setItem(key, value), [STORED, text])
  }

  async function replies(count) {
    await page.waitForFunction((wanted) => window.replies.length >= wanted, count)
    return page.evaluate(() => window.replies)
  }

  test('oauth_ended_isReportedOnceAndRemoved', async () => {
    await send({ mid: 7, method: 'OAUTH' })
    await end(JSON.stringify({ status: 200, headers: { a: 'b' }, entity: '{"id":"/db/User/1"}' }))

    assert.deepEqual(await replies(1), [
      { mid: 7, status: 200, headers: { a: 'b' }, entity: '{"id":"/db/User/1"}' },
    ])
    assert.equal(await connect.evaluate((key) => localStorage.getItem(key), STORED), null)
  })

  test('oauth_startedAgain_theFirstIs409', async () => {
    await send({ mid: 1, method: 'OAUTH' })
    await send({ mid: 2, method: 'OAUTH' })
    await end(JSON.stringify({ status: 200, entity: '{}' }))

    const told = await replies(2)
    assert.deepEqual(
      told.map(({ mid, status }) => [mid, status]),
      [
        [1, 409],
        [2, 200],
      ],
    )
  })

  test('oauth_endedByAnInvalidAnswer_fails', async () => {
    for (const text of ['{', 'null', '7']) {
      await page.evaluate(() => (window.replies = []))
      await send({ mid: 3, method: 'OAUTH' })
      await end(text)

      const [told] = await replies(1)
      assert.deepEqual([told.mid, told.status], [3, 500], text)
    }
  })
})
