import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { connect } from '../../../js-sdk/dist/index.js'
import { complaints } from '../src/browser.js'
import { renderPage } from '../src/reactPage.js'
import { Stage } from '../src/stage.js'

describe('the SDK in pages with failing networks, several tabs and server rendering', () => {
  let stage
  let context
  let page
  let group = 0
  let id

  before(async () => {
    stage = await Stage.set('Item')
  })

  after(() => stage?.clear())

  beforeEach(async () => {
    group += 1
    id = `/db/Item/page${group}`
    await stage.write(id, { name: 'one', group })
    context = await stage.browser.newContext()
    context.setDefaultTimeout(60_000)
    page = await open()
  })

  afterEach(async () => {
    await context.close()
    stage.api.sockets.accept()
  })

  /** Opens a page of the application, with `sdk`, `db` and `items`. */
  async function open() {
    const opened = await context.newPage()
    await opened.goto(`${stage.site.base}/elsewhere`)
    await opened.evaluate(async (url) => {
      const names = ['index', 'offline', 'optimistic']
      window.sdk = Object.assign({}, ...(await Promise.all(names.map((name) => import(`/sdk/${name}.js`)))))
      window.db = await window.sdk.connect(url, { tokens: window.sdk.webTokens() })
      window.items = window.db.bucket('Item')
    }, stage.api.api)
    stage.api.take()
    return opened
  }

  /**
  Records from now on the names in each state of the group in `lists`, and whether they are live in
  `connections`.
  */
  async function follow() {
    await page.evaluate((group) => {
      window.lists = []
      window.connections = []
      window.sdk
        .optimistic(window.db)
        .live(window.items.find({ group }).sort({ name: 1 }))
        .subscribe({
          next: ({ data }) => {
            const names = data.map(({ name }) => name).join(' ')
            if (names !== window.lists.at(-1)) window.lists.push(names)
          },
          connection: (isConnected) => window.connections.push(isConnected),
        })
    }, group)
    await page.waitForFunction(() => window.connections.at(-1) === true && window.lists.length > 0)
  }

  const untilList = (names) => page.waitForFunction((names) => window.lists.at(-1) === names, names)

  const stored = async (path) => (await stage.server.call('GET', path)).body

  /** Returns the name that the server has once the queue is empty. */
  async function sent(path) {
    await page.waitForFunction(() => window.queue.writes.length === 0)
    return (await stored(path)).name
  }

  test('a session in its second half is renewed by one of two tabs, while the other waits', async () => {
    await page.evaluate((name) => window.db.users.register({ username: name }, 'secret'), `tabs${group}`)
    const tabs = [page, await open()]
    // the tab in front: the other one draws no frames, on which conditions are polled
    page = tabs[1]
    const token = await page.evaluate(() => window.db.users.token)
    // tokens of one second are identical
    await page.waitForFunction((second) => Date.now() >= (second + 1) * 1000, parseInt(token.slice(0, 8), 16))
    const renewals = await lateInTheSession(token)

    await Promise.all(
      tabs.map((tab) => tab.evaluate((id) => window.db.load(id, { consistency: 'fresh' }), id)),
    )
    await page.waitForFunction(async () => {
      const { held, pending } = await navigator.locks.query()
      return held.length === 1 && pending.length === 1
    })
    // not afterwards: other pages may see what one page stores a moment after it released the lock
    await renewals.begun
    assert.equal(renewals.count, 1)
    renewals.allow()
    await page.waitForFunction((token) => window.db.users.token !== token, token)
    await page.waitForFunction(async () => (await navigator.locks.query()).held.length === 0)

    const names = await Promise.all(tabs.map((tab) => tab.evaluate(() => window.db.users.me.username)))
    assert.deepEqual(names, [`tabs${group}`, `tabs${group}`])
  })

  /**
  Dates answers to this token at the end of its life, and delays those to renewals until the test
  releases them.
  */
  async function lateInTheSession(token) {
    const end = new Date(parseInt(token.slice(8, 16), 16) * 1000 - 1000).toUTCString()
    const renewals = { count: 0 }
    const allowed = new Promise((resolve) => (renewals.allow = resolve))
    let begin
    renewals.begun = new Promise((resolve) => (begin = resolve))
    await context.route(`${stage.api.api}/**`, async (route) => {
      const { authorization } = await route.request().allHeaders()
      if (authorization !== `BAT ${token}`) return route.continue()
      if (route.request().url().endsWith('/db/User/me')) {
        renewals.count += 1
        begin()
        await allowed
      }
      const response = await route.fetch()
      return route.fulfill({ response, headers: { ...response.headers(), date: end } })
    })
    return renewals
  }

  test('where sockets fail, live queries use event streams', async () => {
    stage.api.sockets.refuse()

    await follow()
    await stage.write(id, { name: 'two', group })
    await untilList('two')

    const streams = stage.api.take().filter((request) => request.startsWith('GET /db/Item/events?'))
    assert.equal(streams.length, 1)
    assert.deepEqual(await page.evaluate(() => window.lists), ['one', 'two'])
  })

  test('a lost connection is opened again, and missed events arrive', async () => {
    await follow()
    stage.api.sockets.refuse()
    await page.waitForFunction(() => window.connections.at(-1) === false)
    await stage.write(id, { name: 'two', group })
    await stage.write(`${id}b`, { name: 'zero', group })

    stage.api.sockets.accept()
    await untilList('two zero')
    await stage.write(id, { name: 'three', group })
    await untilList('three zero')

    assert.deepEqual(await page.evaluate(() => window.connections), [true, false, true])
    assert.ok(!stage.api.take().some((request) => request.includes('/events')))
  })

  test('a write is shown before it is done, and removed when it is refused', async () => {
    await follow()
    const stale = await stored(id)
    const held = await holdWrites()
    const code = page.evaluate(
      (stale) =>
        window.sdk
          .optimistic(window.db)
          .bucket('Item')
          .replace({ ...stale, name: 'mine' })
          .catch((error) => error.code),
      stale,
    )
    await untilList('mine')
    await stage.write(id, { name: 'theirs', group })

    held.allow()

    assert.equal(await code, 'OBJECT_OUT_OF_DATE')
    await untilList('theirs')
    assert.equal((await stored(id)).name, 'theirs')
    assert.deepEqual(await page.evaluate(() => window.lists.slice(0, 2)), ['one', 'mine'])
  })

  /** Delays writes of the page until the test releases them. */
  async function holdWrites() {
    const held = {}
    const allowed = new Promise((resolve) => (held.allow = resolve))
    await page.route(`${stage.api.api}/db/**`, async (route) => {
      if (route.request().method() === 'PUT') await allowed
      await route.continue()
    })
    return held
  }

  test('offline writes are sent automatically, by this page or by the next one', async () => {
    await follow()
    await openQueue()
    await context.setOffline(true)
    await insert('two', `${id}b`)
    await untilList('one two')
    assert.equal((await stage.server.call('GET', `${id}b`)).status, 404)

    await context.setOffline(false)
    assert.equal(await sent(`${id}b`), 'two')

    await context.setOffline(true)
    await insert('three', `${id}c`)
    await page.close()
    await context.setOffline(false)
    page = await open()
    await openQueue()
    assert.equal(await sent(`${id}c`), 'three')
  })

  function openQueue() {
    return page.evaluate(async () => {
      const { openQueue, webQueue } = window.sdk
      window.queue = await openQueue(window.db, {
        store: webQueue({ key: 'pages' }),
        onConflict: () => 'drop',
      })
    })
  }

  const insert = (name, id) =>
    page.evaluate((item) => window.queue.bucket('Item').insert(item), { name, group, id })

  test('hooks hydrate the rendered page without loading it again, and are live', async () => {
    const db = await connect(`${stage.server.base}/v1`)
    const html = await renderPage(db, { api: stage.api.api, group, id })
    db.close()
    const found = complaints(page)

    await page.goto(stage.site.show('/rendered', html))
    await page.locator('ul.live').waitFor()
    const isTakenOver = await page.evaluate(() => window.rendered === document.querySelector('li'))
    await stage.write(id, { name: 'two', group })
    await page.locator('h1', { hasText: 'two' }).waitFor()
    await page.locator('li', { hasText: 'two' }).waitFor()

    assert.match(html, /<h1>one<\/h1><ul class="waiting"><li>one<\/li><\/ul>/)
    assert.ok(isTakenOver)
    assert.deepEqual(stage.api.take(), ['GET /connect 200'])
    assert.deepEqual(found, [])
  })
})
