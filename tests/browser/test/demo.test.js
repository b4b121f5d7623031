import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { launch, watchObjectReads, watchReads } from '../src/browser.js'
import { DemoPage } from '../src/demoPage.js'
import { Server, dataFolder } from '../src/server.js'

const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

/** Log messages of Chromium when the server refuses a write or is unreachable. */
const NETWORK_FAILURE = /Failed to load resource|net::ERR/

describe('demo', () => {
  let data, server, browser, contexts, pages

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

  beforeEach(() => {
    contexts = []
    pages = []
  })

  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()))
  })

  /** Opens the page for a visitor with a separate cache. */
  async function visitor(options = { viewport: DESK }) {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(60_000)
    contexts.push(context)
    return context
  }

  async function open(context) {
    const page = await DemoPage.open(context, server)
    pages.push(page)
    return page
  }

  async function secondWindow(demo) {
    const opened = demo.page.waitForEvent('popup')
    await demo.page.getByRole('link', { name: 'Open a second window' }).click()
    const second = new DemoPage(await opened)
    pages.push(second)
    await second.untilReady()
    return second
  }

  function assertNoComplaints(expected = /^$/) {
    const found = pages.flatMap(({ complaints }) => complaints).filter((text) => !expected.test(text))
    assert.deepEqual(found, [])
  }

  test('list_changedInOneWindow_changesInTheOther', async () => {
    const context = await visitor()
    const one = await open(context)
    const other = await secondWindow(one)

    await one.add('water the plants')
    await other.todo('water the plants').waitFor()
    await other.box('water the plants').click()
    await one.page.locator('.todo.done', { hasText: 'water the plants' }).waitFor()
    await one.add('feed the cat')
    await other.todo('feed the cat').waitFor()
    await one.delete('water the plants')
    await other.todo('water the plants').waitFor({ state: 'detached' })
    await other.page.reload()
    await other.untilReady()

    assert.equal((await other.todos()).filter((text) => text === 'feed the cat').length, 1)
    assert.deepEqual(await other.todos(), await one.todos())
    await one.delete('feed the cat')
    await other.todo('feed the cat').waitFor({ state: 'detached' })
    assertNoComplaints()
  })

  test('list_changedByManyAtOnce_endsInTheServersState', async () => {
    const windows = await Promise.all([1, 2, 3].map(async () => open(await visitor())))

    for (let i = 0; i < 5; i++) {
      await Promise.all(windows.map((window, w) => window.add(`item ${w}-${i}`)))
    }
    const names = [0, 1, 2].flatMap((w) => [0, 1, 2, 3, 4].map((i) => `item ${w}-${i}`))
    for (const window of windows) {
      await Promise.all(names.map((name) => window.todo(name).waitFor()))
    }

    const stored = await server.call('GET', '/db/demo.Todo/query')
    const texts = stored.body.map(({ text }) => text).sort()
    for (const window of windows) {
      assert.deepEqual((await window.todos()).sort(), texts)
    }
    await Promise.all(
      stored.body.filter(({ text }) => text.startsWith('item')).map(({ id }) => server.call('DELETE', id)),
    )
    assertNoComplaints()
  })

  test('list_usedByKeyboardAlone_works', async () => {
    const demo = await open(await visitor())
    const { page } = demo

    await page.getByLabel('New to-do').focus()
    await page.keyboard.type('typed')
    await page.keyboard.press('Enter')
    await demo.todo('typed').waitFor()
    await demo.box('typed').focus()
    await page.keyboard.press('Space')
    await page.locator('.todo.done', { hasText: 'typed' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await demo.todo('typed').waitFor({ state: 'detached' })

    assert.equal(await page.evaluate(() => document.activeElement.className), 'remove')
    assertNoComplaints()
  })

  test('list_changedFasterThanTheServerAnswers_keepsTheOrder', async () => {
    const demo = await open(await visitor())
    await demo.page.route('**/v1/db/demo.Todo**', async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      await demo.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
      await route.continue()
    })

    const deletion = demo.page.waitForResponse((response) => response.request().method() === 'DELETE')

    await demo.add('in a hurry')
    await demo.box('in a hurry').click()
    await demo.box('in a hurry').click()
    await demo.box('in a hurry').click()
    await demo.delete('in a hurry')
    await demo.add('at leisure')
    await deletion

    await demo.todo('in a hurry').waitFor({ state: 'detached' })
    await demo.page.locator('.todo[data-state=sent]', { hasText: 'at leisure' }).waitFor()
    const stored = await server.call('GET', '/db/demo.Todo/query')
    assert.deepEqual((await demo.todos()).sort(), stored.body.map(({ text }) => text).sort())
    assertNoComplaints()
  })

  test('news_loadedAgain_sendNoRequest', async () => {
    const news = await open(await visitor())
    const ids = await news.storyIds()
    const reads = await watchObjectReads(news.page, 'demo.News')

    await news.page.reload()
    await news.untilSummary('12 reads: 12 from your browser – 0 bytes')

    assert.deepEqual(new Set(reads.map(({ path }) => path)), new Set(ids.map((id) => `/v1${id}`)))
    assert.deepEqual(
      reads.filter(({ isNetwork }) => isNetwork),
      [],
    )
    assert.deepEqual(new Set(await news.origins()), new Set(['browser cache']))
    assertNoComplaints()
  })

  test('news_loadedAgain_theirListComesFromTheBrowserToo', async () => {
    const news = await open(await visitor())
    const reads = await watchReads(news.page, `${server.base}/v1`)

    await news.page.reload()
    await news.untilSummary('12 reads: 12 from your browser – 0 bytes')

    const lists = reads.filter(({ key }) => key.startsWith('/db/demo.News/query?'))
    assert.deepEqual(
      lists.map(({ isNetwork }) => isNetwork),
      [false],
    )
    const check = news.page.locator('#checks li', { hasText: 'Newest stories' })
    assert.equal(await check.locator('.chip').innerText(), 'browser cache')
    assertNoComplaints()
  })

  test('news_oneDeletedSinceTheListWasRead_showTheOthers', async () => {
    const news = await open(await visitor())
    const id = (await news.storyIds())[3]
    await news.page.route(`**/v1${id}`, (route) => route.fulfill({ status: 404, json: { status: 404 } }))

    await news.page.locator('#read-again').click()
    await news.untilSummary(/^11 reads: /)

    assert.equal((await news.storyIds()).includes(id), false)
    assertNoComplaints(NETWORK_FAILURE)
  })

  test('news_readByASecondVisitor_comeFromTheServersCache', async () => {
    await open(await visitor())

    const second = await open(await visitor())

    assert.deepEqual(new Set(await second.origins()), new Set(['server cache']))
    assertNoComplaints()
  })

  test('news_likedByAnotherVisitor_onlyThatStoryIsReadAgain', async () => {
    const reader = await open(await visitor())
    const fan = await open(await visitor())
    await reader.chooseBound(1)
    const id = (await reader.storyIds())[4]
    const likes = await reader.likes(id)
    const reads = await watchObjectReads(reader.page, 'demo.News')

    const began = performance.now()
    await fan.story(id).getByRole('button').click()
    await reader.untilLikes(id, likes + 1)
    const seconds = (performance.now() - began) / 1000

    assert.deepEqual(
      new Set(reads.filter(({ isNetwork }) => isNetwork).map(({ path }) => path)),
      new Set([`/v1${id}`]),
    )
    assert.ok(seconds < 8, `the bound is 1 s and the machine may be slow, but it took ${seconds} s`)
    await fan.untilSummary(/^12 reads: 11 from your browser, 1 from the server/)
    await reader.untilSummary(/^12 reads: 11 from your browser, 1 from the server – 300 bytes/)
    assert.equal(await reader.story(id).locator('.chip').innerText(), 'unchanged (304)')
    assertNoComplaints()
  })

  test('news_likedFromAnOldCopy_countsAll', async () => {
    const late = await open(await visitor())
    const early = await open(await visitor())
    await late.chooseBound(60)
    const id = (await late.storyIds())[7]
    const likes = await late.likes(id)

    await early.story(id).getByRole('button').click()
    await early.page.getByText('You like “').waitFor({ state: 'attached' })
    await late.story(id).getByRole('button').click()

    await late.untilLikes(id, likes + 2)
    const newest = await server.call('GET', id, undefined, { 'Cache-Control': 'no-cache' })
    assert.equal(newest.body.likes, likes + 2)
    assert.match(late.complaints.join(), /412/)
    assertNoComplaints(NETWORK_FAILURE)
  })

  test('phone_everything_fitsAndCanBeTapped', async () => {
    const phone = await open(
      await visitor({ viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
    )

    const { scrollWidth, innerWidth } = await phone.page.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      innerWidth,
    }))
    assert.ok(scrollWidth <= innerWidth, `${scrollWidth} px on ${innerWidth}`)
    assert.equal(innerWidth, PHONE.width)
    for (const control of await phone.page
      .locator('button:visible, a.button, .todo label, #bound label')
      .all()) {
      await control.tap({ trial: true })
      const box = await control.boundingBox()
      assert.ok(
        box.height >= 40 && box.x >= 0 && box.x + box.width <= PHONE.width,
        `${await control.innerText()} ${JSON.stringify(box)}`,
      )
    }
    await phone.page.getByLabel('New to-do').fill('by thumb')
    await phone.page.getByRole('button', { name: 'Add', exact: true }).tap()
    await phone.todo('by thumb').waitFor()
    await phone.page.getByRole('button', { name: 'Delete: by thumb' }).tap()
    await phone.todo('by thumb').waitFor({ state: 'detached' })
    assertNoComplaints()
  })

  test('page_injectedScript_doesNotRun', async () => {
    const { page } = await open(await visitor())

    const violated = await page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
          document.body.append(
            Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }),
          )
        }),
    )

    assert.equal(violated, 'script-src-elem')
    assert.equal(await page.evaluate(() => 'ran' in window), false)
  })

  test('server_restarted_listIsRightAgain', async () => {
    const page = await open(await visitor())
    const { port } = server

    await server.stop()
    await page.untilConnection('Reconnecting…')
    await page.add('written in vain')
    await page.page.locator('.todo[data-state=failed]', { hasText: 'written in vain' }).waitFor()
    server = await Server.start(data.path, { port })
    await server.call('POST', '/db/demo.Todo', { text: 'made after the restart', done: false })
    await page.untilConnection('Live')
    await page.todo('made after the restart').waitFor()
    await page.page.getByRole('button', { name: 'Not saved – try again' }).click()
    await page.page.locator('.todo[data-state=sent]', { hasText: 'written in vain' }).waitFor()
    await page.untilSummary(/^12 reads: /)

    const stored = await server.call('GET', '/db/demo.Todo/query')
    assert.deepEqual((await page.todos()).sort(), stored.body.map(({ text }) => text).sort())
    assertNoComplaints(NETWORK_FAILURE)
  })
})
