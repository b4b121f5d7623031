import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'
import { SharedCache } from '../../src/sharedCache.js'

describe('dashboard, caching', () => {
  let cache, parts, server, browser, root

  before(async () => {
    cache = await SharedCache.start()
    parts = await ownedServer({ Todo: { text: 'String' } }, cache.flags)
    ;({ server, browser, root } = parts)
    await server.call('POST', '/db/Todo', { id: '/db/Todo/milk', text: 'buy milk' }, root)
  })

  after(async () => {
    await parts?.clear()
    await cache?.leave()
  })

  const open = (mode = 'light') => Dashboard.enter(browser, server, { mode, at: '#/caching' })

  const fact = (dashboard, name) => dashboard.page.locator('.facts > div').filter({ hasText: name })

  /** Returns where an answer came from. */
  const source = async (path) => (await server.call('GET', path)).headers.get('orestes-cache')

  async function inspect(dashboard, url) {
    await dashboard.page.getByRole('textbox').fill(url)
    await dashboard.page.keyboard.press('Enter')
  }

  test('reads_fromMemory_areCountedWithoutAReload', async () => {
    const dashboard = await open()
    await dashboard.page
      .getByText('took nothing from the store')
      .or(dashboard.page.getByText('No read'))
      .waitFor()

    await server.call('GET', '/db/Todo/milk')
    await server.call('GET', '/db/Todo/milk')

    await dashboard.page.getByText('took nothing from the store').waitFor()
    await dashboard.page.getByText(/from memory: [\d.]+\/s/).waitFor()
    await dashboard.page.locator('.chart canvas').waitFor()
    await dashboard.button('Inspect /db/Todo/milk').waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  for (const mode of Object.keys(MODES)) {
    test(`hitRateBySource_${mode}_isShownAsFarAsKnown`, async () => {
      const dashboard = await open(mode)
      const row = (name) => dashboard.page.getByRole('row', { name })
      await row(/^Browsers and SDKs – not known/).waitFor()
      cache.tell(undefined)
      await row(new RegExp(`^${cache.name} – not known It does not tell`)).waitFor()

      cache.tell('hits=1900 misses=100 passed=12 seconds=60')
      for (let i = 0; i < 40; i++) await server.call('GET', '/db/Todo/milk')

      await row(new RegExp(`^${cache.name} 1,900 95 % of what it looked up.*; 12 went past it`)).waitFor()
      await row(/^This server: from memory [\d,]+ [\d.]+ %/).waitFor()
      const busy = row(/^\/db\/Todo\/milk [\d,]+ [\d,]+ [\d.]+ % /)
      await busy.getByRole('cell', { name: /^\d+ bytes for \d+ (s|min|h)$/ }).waitFor()
      await dashboard.assertAccessible(mode)
      const width = await dashboard.page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= MODES[mode].viewport.width)
      dashboard.assertQuiet()
      await dashboard.close()
    })
  }

  test('key_read_isCountedWithItsInvalidations', async () => {
    await server.call('POST', '/db/Todo', { id: '/db/Todo/tea', text: 'tea' }, root)
    for (let i = 0; i < 60; i++) await server.call('GET', '/db/Todo/tea')
    const dashboard = await open()
    const row = dashboard.page.getByRole('row', { name: /^\/db\/Todo\/tea / })
    await row.getByRole('cell', { name: '59', exact: true }).waitFor()

    await server.call('POST', '/db/Todo/tea', { $set: { text: 'green tea' } }, root)

    await row.getByRole('cell', { name: 'no', exact: true }).waitFor()
    assert.equal(await row.getByRole('cell').nth(4).innerText(), '1')
    await dashboard.button('Inspect /db/Todo/tea').click()
    await fact(dashboard, 'Key').getByText('/db/Todo/tea').waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('url_inspected_showsItsCopyAndStaleness', async () => {
    await server.call('GET', '/db/Todo/milk')
    const dashboard = await open()

    await inspect(dashboard, `${server.base}/v1/db/Todo/milk`)

    await fact(dashboard, 'Key').getByText('/db/Todo/milk').waitFor()
    await fact(dashboard, 'In memory here').getByText('for everybody').waitFor()
    await fact(dashboard, 'Held by others').getByText('Browsers and shared caches').waitFor()
    await server.call('POST', '/db/Todo/milk', { $set: { text: 'buy oat milk' } }, root)
    await fact(dashboard, 'In the filter')
      .getByText(/^Yes, for/)
      .waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('url_uncacheable_isRefusedWithAReason', async () => {
    const dashboard = await open()

    await inspect(dashboard, '/v1/schema')

    await dashboard.page
      .getByRole('alert')
      .getByText('url has to be that of a cacheable object or query')
      .waitFor()
    dashboard.expectComplaints(/400/)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('url_purged_isEvictedOnceConfirmed', async () => {
    await server.call('GET', '/db/Todo/milk')
    const dashboard = await open()
    await inspect(dashboard, '/db/Todo/milk')

    await dashboard.button('Purge this URL').click()
    await dashboard.button('Cancel').click()
    assert.equal(await source('/db/Todo/milk'), 'hit')
    await dashboard.button('Purge this URL').click()
    await dashboard.button('Purge').click()

    await fact(dashboard, 'In memory here').getByText(/^No/).waitFor()
    assert.equal(await source('/db/Todo/milk'), 'miss')
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('everything_purged_isEvictedOnceConfirmed', async () => {
    await server.call('GET', '/db/Todo/milk')
    const dashboard = await open()

    await dashboard.button('Purge everything').first().click()
    await dashboard.heading('Purge everything?').waitFor()
    assert.equal(await source('/db/Todo/milk'), 'hit')
    await dashboard.page.getByRole('dialog').getByRole('button', { name: 'Purge everything' }).click()

    await dashboard.heading('Purge everything?').waitFor({ state: 'detached' })
    assert.equal(await source('/db/Todo/milk'), 'miss')
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('purge_unconfirmedByASharedCache_isReportedUntilItIs', async () => {
    const dashboard = await open()
    await inspect(dashboard, '/db/Todo/milk')
    const message = 'A shared cache has not confirmed that it forgot'
    await dashboard.page.route('**/v1/-/caching/entry?*', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 503, json: { status: 503, reason: 'Unavailable', message } })
        : route.continue(),
    )
    await dashboard.button('Purge this URL').click()
    await dashboard.button('Purge').click()
    await dashboard.page.getByRole('dialog').getByRole('alert').getByText(message).waitFor()

    await dashboard.page.unroute('**/v1/-/caching/entry?*')
    await dashboard.button('Purge').click()

    await dashboard.heading('Purge this URL?').waitFor({ state: 'detached' })
    dashboard.expectComplaints(/503/)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('sharedCache_purged_isShownWithItsConfirmationsAndLag', async () => {
    const dashboard = await open()
    const targets = dashboard.page.getByRole('region', { name: 'Targets' })
    const row = targets.getByRole('row', { name: new RegExp(cache.name) })
    await row.getByText('up to date').waitFor()
    const confirmed = async () => Number((await row.getByRole('cell').nth(4).innerText()).replace(',', ''))
    const before = await confirmed()
    const url = '/db/Todo/milk'

    await server.call('GET', url)
    await server.call('POST', url, { $set: { text: 'buy rice milk' } }, root)

    await until(async () => (await confirmed()) > before, 'more is confirmed')
    await cache.leave()
    await server.call('GET', url)
    await server.call('POST', url, { $set: { text: 'buy soy milk' } }, root)
    await row.getByText('late: writes do not wait for it').waitFor()
    await cache.comeBack()
    await row.getByText('up to date').waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('server_stopped_isReportedAndItsDataStay', async () => {
    const dashboard = await open()
    await dashboard.heading('Filter of stale keys').waitFor()
    await dashboard.page.route('**/v1/-/caching', (route) => route.abort())

    await dashboard.page.getByRole('alert').getByText('The server does not answer').waitFor()

    assert.ok(await dashboard.heading('Filter of stale keys').isVisible())
    await dashboard.page.unroute('**/v1/-/caching')
    await dashboard.button('Try again').click()
    await dashboard.page.getByText('The server does not answer').waitFor({ state: 'detached' })
    await dashboard.close()
  })
})

async function until(condition, what) {
  const deadline = Date.now() + 40_000
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, what)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
