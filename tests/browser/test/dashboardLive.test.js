import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard, MODES } from '../src/dashboard.js'
import { ownedServer } from '../src/owned.js'

describe('dashboard, live queries', () => {
  let parts, server, browser, root

  before(async () => {
    parts = await ownedServer({ Todo: { text: 'String', rank: 'Integer' } })
    ;({ server, browser, root } = parts)
  })

  after(() => parts?.clear())

  const open = (mode = 'light') => Dashboard.enter(browser, server, { mode, at: '#/live' })

  /** Subscribes to a query until `end`; `read` is the text so far. */
  async function follow(query) {
    const abort = new AbortController()
    const { body } = await fetch(`${server.base}/v1/db/Todo/events?${query}`, { signal: abort.signal })
    const stream = { read: '', end: () => abort.abort() }
    const decoder = new TextDecoder()
    stream.done = (async () => {
      try {
        for await (const part of body) stream.read += decoder.decode(part)
      } catch {
        // ended by the test
      }
    })()
    return stream
  }

  const rowOf = (dashboard, text) => dashboard.page.getByRole('row').filter({ hasText: text })

  test('noSubscribers_isReportedWithInstructions', async () => {
    const dashboard = await open()

    await dashboard.page.getByText('Nobody follows anything').waitFor()

    await dashboard.assertAccessible('empty')
    dashboard.assertQuiet()
    await dashboard.close()
  })

  for (const mode of Object.keys(MODES)) {
    test(`queries_followed_${mode}_areShownWithTheirCost`, async () => {
      const dashboard = await open(mode)
      const streams = [
        await follow(`q=${encodeURIComponent('{"text":"a"}')}`),
        await follow(`sort=${encodeURIComponent('{"rank":1}')}&count=3`),
        await follow(`aggregate=${encodeURIComponent('{"_id":null,"n":{"$sum":1}}')}`),
      ]

      const writes = setInterval(
        () => server.call('POST', '/db/Todo', { text: 'a', rank: 1 }, root).catch(() => {}),
        200,
      )
      try {
        await rowOf(dashboard, 'objects').getByText('"text"').waitFor()
        await rowOf(dashboard, 'window').getByText('1 to 3 by').waitFor()
        await rowOf(dashboard, 'aggregate').getByText('$sum').waitFor()
        await assertHeatMap(dashboard)
        await dashboard.page.getByText(/^\d+ writes?; half of them took at most/).waitFor()
        await dashboard.assertAccessible(mode)
        const width = await dashboard.page.evaluate(() => document.documentElement.scrollWidth)
        assert.ok(width <= MODES[mode].viewport.width)
        dashboard.assertQuiet()
      } finally {
        clearInterval(writes)
        streams.forEach((stream) => stream.end())
      }
      await dashboard.close()
    })
  }

  /** Asserts the heat map of cells, and that the legend explains each colour. */
  async function assertHeatMap({ page }) {
    const map = page.getByRole('table', { name: 'Cells of the grid' })
    await map.getByRole('row', { name: /Queries 1 \d+ held/ }).waitFor()
    await map
      .getByRole('columnheader', { name: /Objects \d [\d.]*[1-9][\d.]* writes\/s/ })
      .first()
      .waitFor()
    for (const measure of ['filters tried', 'results changed']) {
      await page.getByLabel('In each cell, per second').selectOption(measure)
      const busiest = map.locator('td.shade-4').first()
      await busiest.waitFor()
      const legend = page.getByRole('list', { name: `Colours, ${measure} per second` })
      await legend.getByText('up to').first().waitFor()
      assert.notEqual(await colorOf(busiest), await colorOf(legend.locator('.shade-0')))
      assert.equal(await colorOf(legend.locator('.shade-4')), await colorOf(busiest))
    }
  }

  const colorOf = (part) => part.evaluate((element) => getComputedStyle(element).backgroundColor)

  test('server_ofAGroup_isShownAsOneOfSeveral', async () => {
    const dashboard = await Dashboard.enter(browser, server)
    await dashboard.page.route('**/v1/-/health', async (route) => {
      const report = await (await route.fetch()).json()
      const servers = [
        { id: 'a', address: '10.0.0.1:4000', self: true, link: null },
        { id: 'b', address: '10.0.0.2:4000', self: false, link: null },
      ]
      await route.fulfill({ json: { ...report, coordinator: { ...report.coordinator, servers } } })
    })
    await dashboard.goTo('#/live')

    await dashboard.page.getByText(/^Shown is 10\.0\.0\.1:4000.*another server, 10\.0\.0\.2:4000/).waitFor()

    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('query_ended_notifiesItsSubscriberOnceConfirmed', async () => {
    const stream = await follow(`q=${encodeURIComponent('{"text":"to end"}')}`)
    const dashboard = await open()
    const row = rowOf(dashboard, 'to end')
    await row.getByRole('button').click()
    await dashboard.button('Cancel').click()
    assert.ok(await row.isVisible())

    await row.getByRole('button').click()
    await dashboard.button('End query').click()

    await row.waitFor({ state: 'detached' })
    await stream.done
    assert.match(stream.read, /event: ?error[^]*An admin has ended this live query/)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('query_endedMeanwhile_isReportedInTheDialog', async () => {
    const stream = await follow(`q=${encodeURIComponent('{"text":"gone"}')}`)
    const dashboard = await open()
    await rowOf(dashboard, 'gone').getByRole('button').click()
    const { body } = await server.call('GET', '/-/live-queries', undefined, root)
    const { id } = body.queries.find(({ filter }) => filter.includes('gone'))
    await server.call('DELETE', `/-/live-queries/${id}`, undefined, root)

    await dashboard.button('End query').click()

    await dashboard.page.getByRole('alert').getByText('There is no live query').waitFor()
    dashboard.expectComplaints(/404/)
    dashboard.assertQuiet()
    stream.end()
    await dashboard.close()
  })
})
