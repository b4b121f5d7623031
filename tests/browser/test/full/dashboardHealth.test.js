import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'
import { SharedCache } from '../../src/sharedCache.js'

describe('dashboard, health', () => {
  let cache, parts, server, browser, root

  before(async () => {
    cache = await SharedCache.start()
    parts = await ownedServer({ Todo: { text: 'String' } }, cache.flags)
    ;({ server, browser, root } = parts)
    await server.call('POST', '/db/Todo', { id: '/db/Todo/milk', text: 'milk' }, root)
  })

  after(async () => {
    await parts?.clear()
    await cache?.leave()
  })

  const open = (mode = 'light') => Dashboard.enter(browser, server, { mode, at: '#/health' })

  const card = (dashboard, name) => dashboard.page.getByRole('region', { name, exact: true })

  const summary = (dashboard, text) => dashboard.page.getByRole('status').filter({ hasText: text }).waitFor()

  const fact = (dashboard, name) => dashboard.page.locator('.facts > div').filter({ hasText: name })

  /** Writes an object that shared caches have to purge. */
  async function write(text) {
    await server.call('GET', '/db/Todo/milk')
    await server.call('POST', '/db/Todo/milk', { $set: { text } }, root)
  }

  test('parts_ofAHealthyServer_areHealthy', async () => {
    const dashboard = await open()

    await summary(dashboard, 'All is well.')

    for (const name of ['Server', 'Storage', 'Coordination', 'Shared caches', 'Queues']) {
      await card(dashboard, name).getByText('Good').first().waitFor()
    }
    await card(dashboard, 'Storage')
      .getByText(/^It answered a read of one object in [\d.]+ ms\.$/)
      .waitFor()
    await card(dashboard, 'Coordination').getByText('This server works alone').waitFor()
    await card(dashboard, 'Shared caches')
      .getByRole('row', { name: new RegExp(cache.name) })
      .waitFor()
    await fact(dashboard, 'Writes to match').getByText(/^\d+$/).waitFor()
    await fact(dashboard, 'Wait for a thread').getByText(/ms$/).waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('sharedCache_unreachable_isReportedUntilItReturnsWithoutAReload', async () => {
    const dashboard = await open()
    await summary(dashboard, 'All is well.')
    const row = card(dashboard, 'Shared caches').getByRole('row', { name: new RegExp(cache.name) })

    await cache.leave()
    await write('oat milk')

    await summary(dashboard, 'Needs attention: shared caches.')
    await row.getByText('Late: writes do not wait for it').waitFor()
    await cache.comeBack()
    await summary(dashboard, 'All is well.')
    await row.getByText('Up to date').waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  for (const mode of Object.keys(MODES)) {
    test(`group_withTrouble_${mode}_isUsableByEverybody`, async () => {
      const dashboard = await open(mode)
      await summary(dashboard, 'All is well.')
      await dashboard.page.route('**/v1/-/health', async (route) => {
        const report = await (await route.fetch()).json()
        await route.fulfill({ json: { ...report, ...TROUBLE } })
      })

      await summary(dashboard, 'Broken: shared caches, queues. Needs attention: coordination.')
      await card(dashboard, 'Coordination').getByText('no connection').waitFor()
      await fact(dashboard, 'Own lease').getByText('5.5 s left').waitFor()
      await card(dashboard, 'Coordination').getByText('10.0.0.1:4000 (this server)').waitFor()
      await fact(dashboard, 'Wait for a thread').getByText('more than 2 s').waitFor()

      await dashboard.assertAccessible(mode)
      const width = await dashboard.page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= MODES[mode].viewport.width)
      dashboard.assertQuiet()
      await dashboard.close()
    })
  }

  test('server_stopped_isReportedAndItsDataAreMarkedOld', async () => {
    const dashboard = await open()
    await summary(dashboard, 'All is well.')
    await dashboard.page.route('**/v1/-/health', (route) => route.abort())

    await summary(dashboard, 'Broken: server. Not known: storage, coordination')

    await card(dashboard, 'Server').getByText('does not answer').waitFor()
    await dashboard.page.getByText('What follows is from before').waitFor()
    await dashboard.page.unroute('**/v1/-/health')
    await dashboard.button('Try again').click()
    await summary(dashboard, 'All is well.')
    await dashboard.close()
  })
})

/**
State of a server that one of two others does not receive from, and whose shared cache and threads
are stuck.
*/
const TROUBLE = {
  coordinator: {
    kind: 'ZooKeeper',
    reachable: true,
    current: true,
    leaseMs: 5500,
    changeReader: null,
    servers: [
      { id: 'a', address: '10.0.0.1:4000', self: true, link: null },
      {
        id: 'b',
        address: '10.0.0.2:4000',
        self: false,
        link: { connected: false, unanswered: 7, bytes: 4096, maxBytes: 1 << 27 },
      },
    ],
  },
  purges: {
    lagMs: null,
    targets: [
      {
        name: 'cache.example:80',
        late: true,
        backlog: 12,
        sent: 20,
        confirmed: 8,
        failed: 0,
        dead: 1,
        flushes: 1,
        sinceConfirmedMs: 90_000,
        medianMs: 1,
        p99Ms: 2,
      },
    ],
  },
  queues: { matching: 3, matchingLate: true, passwords: 2, maxPasswords: 128, workersMs: null },
}
