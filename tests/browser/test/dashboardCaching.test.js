import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard } from '../src/dashboard.js'
import { ownedServer } from '../src/owned.js'

describe('dashboard, caching', () => {
  let parts, server, browser, root

  before(async () => {
    parts = await ownedServer({ Todo: { text: 'String' } })
    ;({ server, browser, root } = parts)
    await server.call('POST', '/db/Todo', { id: '/db/Todo/milk', text: 'buy milk' }, root)
  })

  after(() => parts?.clear())

  const open = () => Dashboard.enter(browser, server, { at: '#/caching' })

  const fact = (dashboard, name) => dashboard.page.locator('.facts > div').filter({ hasText: name })

  /** Where an answer came from. */
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

  test('url_inspected_tellsItsCopyAndWhetherItIsStale', async () => {
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

  test('url_ofWhatNoCacheKeeps_isRefusedInWords', async () => {
    const dashboard = await open()

    await inspect(dashboard, '/v1/schema')

    await dashboard.page.getByRole('alert').getByText('url has to be that of an object or a query').waitFor()
    dashboard.expectComplaints(/400/)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('url_purged_isForgottenOnceThatWasConfirmed', async () => {
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

  test('everything_purged_isForgottenOnceThatWasConfirmed', async () => {
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

  test('purge_thatASharedCacheDoesNotConfirm_isSaidUntilItDoes', async () => {
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

  test('server_gone_isSaidAndWhatWasThereStays', async () => {
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
