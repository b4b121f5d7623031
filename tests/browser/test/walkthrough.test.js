import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { complaints, launch, watchReads } from '../src/browser.js'
import { CountingProxy } from '../src/countingProxy.js'
import { Dashboard, PASSWORD } from '../src/dashboard.js'
import { Server, dataFolder } from '../src/server.js'
import { savePage } from '../src/walkthrough.js'

describe('walk-through', () => {
  let data, folder, server, api, browser

  before(async () => {
    data = await dataFolder()
    folder = await dataFolder()
    server = await Server.start(data.path, { flags: [] })
    api = await CountingProxy.start(server.base)
    browser = await launch()
  })

  after(async () => {
    await browser?.close()
    await api?.close()
    await server?.stop()
    await folder?.remove()
    await data?.remove()
  })

  /** Runs the second step as written; returns its window of the dashboard. */
  async function makeClass() {
    const dashboard = await Dashboard.open(browser, server, {
      at: server.setupLink.slice(server.setupLink.indexOf('#')),
    })
    await dashboard.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dashboard.page.getByLabel('The same again').fill(PASSWORD)
    await dashboard.button('Set password').click()
    await dashboard.button('Start with sample data').click()
    await dashboard.page.getByRole('button', { name: 'A to-do list' }).click()
    await dashboard.page.getByText('8 objects', { exact: true }).waitFor()
    return dashboard
  }

  /**
  Opens a window with the list, and resolves once it is connected: earlier changes are not sent to
  it.
  */
  async function openWindow(context, url) {
    const page = await context.newPage()
    const found = complaints(page)
    const reads = await watchReads(page, api.api)
    const connected = untilConnected(page)
    await page.goto(url)
    await connected
    return { page, found, reads, origin: await page.locator('p').textContent() }
  }

  /** Resolves when the page's live query has its first result. */
  async function untilConnected(page) {
    const socket = await page.waitForEvent('websocket')
    await socket.waitForEvent('framereceived')
  }

  const isTicked = (page, text) => page.getByRole('checkbox', { name: text, checked: true }).waitFor()

  test('steps_asWritten_leadToALiveListWhoseSecondLoadCostsNoRequest', async () => {
    const dashboard = await makeClass()
    const url = await savePage(folder.path, new URL(api.api).origin)
    const context = await browser.newContext()
    context.setDefaultTimeout(60_000)

    const first = await openWindow(context, url)
    const costOfFirst = api.take()
    const second = await openWindow(context, url)
    const costOfSecond = api.take()
    const again = untilConnected(first.page)
    await first.page.reload()
    await again
    const costOfReload = api.take()

    assert.equal(await first.page.getByRole('checkbox').count(), 8)
    assert.equal(first.origin, 'From the server.')
    assert.ok(costOfFirst.some((request) => request.startsWith('GET /db/Todo/query')))
    assert.equal(second.origin, 'From the cache of this browser.')
    assert.deepEqual([costOfSecond, costOfReload], [[], []])
    assert.deepEqual(
      [...first.reads, ...second.reads].map(({ isNetwork }) => isNetwork),
      [true, false, false],
    )

    await first.page.getByLabel('Buy milk').click()
    await isTicked(second.page, 'Buy milk')
    await dashboard.cell(0, 2).dblclick()
    await dashboard.page.keyboard.type('Paint the bike')
    await dashboard.page.keyboard.press('Enter')
    await second.page.getByLabel('Paint the bike').waitFor()
    await first.page.getByLabel('Paint the bike').waitFor()

    await second.page.reload()
    await isTicked(second.page, 'Buy milk')
    await second.page.getByText('From the server.').waitFor()
    assert.deepEqual([...first.found, ...second.found], [])
    dashboard.assertQuiet()
  })
})
