import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard, MODES, PASSWORD } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'

describe('dashboard, settings', () => {
  let parts, server, browser

  before(async () => {
    parts = await ownedServer()
    ;({ server, browser } = parts)
  })

  after(() => parts?.clear())

  test('settings_searched_areFoundWithTheirOrigin', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/settings' })
    const { page } = dashboard
    await page.getByRole('row', { name: /^http\.max-body 1mb default/ }).waitFor()
    await page.getByLabel('Only what somebody has set').check()
    await page.getByRole('row', { name: /^root-password set, and secret flag --root-password/ }).waitFor()
    await page.getByRole('row', { name: /^port 0 flag --port/ }).waitFor()
    await page.getByRole('row', { name: /^http\.max-body/ }).waitFor({ state: 'detached' })
    await page.getByLabel('Search').fill('no such thing')
    await page.getByText('No setting is like that.').waitFor()

    assert.ok(!(await page.content()).includes(PASSWORD))
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('settings_thatFailToLoad_areRetried', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/health' })
    await dashboard.page.route('**/v1/-/settings', (route) => route.abort())
    await dashboard.goTo('#/settings')
    await dashboard.page.getByText('The server does not answer').waitFor()
    await dashboard.page.unroute('**/v1/-/settings')

    await dashboard.button('Try again').click()

    await dashboard.page.getByText(/^\d+ settings$/).waitFor()
    await dashboard.close()
  })

  for (const mode of Object.keys(MODES)) {
    test(`settings_${mode}_areUsableByEverybody`, async () => {
      const dashboard = await Dashboard.enter(browser, server, { mode, at: '#/settings' })
      await dashboard.page.getByText(/^\d+ settings$/).waitFor()
      await dashboard.assertAccessible('settings')
      const width = await dashboard.page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= MODES[mode].viewport.width, `${width}`)
      dashboard.assertQuiet()
      await dashboard.close()
    })
  }
})
