import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard, MODES } from '../src/dashboard.js'
import { ownedServer } from '../src/owned.js'
import { isShort } from '../src/scope.js'

describe('dashboard, pages', () => {
  let parts, server, browser, root

  before(async () => {
    parts = await ownedServer({
      Todo: { text: 'String', done: 'Boolean', next: 'Todo', tags: 'collection.List[/db/String]' },
    })
    ;({ server, browser, root } = parts)
    const milk = { id: '/db/Todo/milk', text: 'buy milk', done: false, tags: ['shop'] }
    await server.call('POST', '/db/Todo', milk, root)
    await server.call('POST', '/db/Todo', { id: '/db/Todo/tea', text: 'make tea', next: milk.id }, root)
  })

  after(() => parts?.clear())

  /** Saves a screenshot of a page for people, if `ORESTES_TEST_SCREENSHOTS` names a folder. */
  async function picture({ page }, name) {
    const folder = process.env.ORESTES_TEST_SCREENSHOTS
    if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}.png` })
  }

  const openDialog = (name, heading) => async (dashboard) => {
    await dashboard.button(name).click()
    await dashboard.heading(heading).waitFor()
  }

  async function openOperation(dashboard, words) {
    await dashboard.page.getByLabel('Search').fill(words)
    await dashboard.page.locator(`[data-operation="${words}"] > summary`).click()
    await dashboard.button('Copy curl').waitFor()
  }

  /** Every page and dialog: its address, and an element that shows that it is open. */
  const places = {
    data: ['#/data/Todo', (dashboard) => dashboard.page.getByText('2 objects').waitFor()],
    filter: ['#/data/Todo', (dashboard) => dashboard.button('Filter').click()],
    'raw filter': ['#/data/Todo?q={"done":false}', (d) => d.page.getByLabel('MongoDB filter').waitFor()],
    'empty result': [
      '#/data/Todo?q={"text":"none"}',
      (d) => d.heading('Nothing matches the filter').waitFor(),
    ],
    create: ['#/data/Todo', openDialog('New object', 'New object of Todo')],
    'delete all': [
      '#/data/Todo?q={"text":{"$ne":null}}',
      async (dashboard) => {
        await dashboard.page.getByLabel('Select all').check()
        await dashboard.button('Delete all that match').click()
        await dashboard.heading('Delete 2 objects?').waitFor()
      },
    ],
    import: [
      '#/data/Todo',
      async (dashboard) => {
        await dashboard.button('Import').click()
        const file = { name: 'todo.csv', mimeType: 'text/csv', buffer: Buffer.from('text;done\nrice;true\n') }
        await dashboard.page.getByLabel('File').setInputFiles(file)
        await dashboard.page.getByRole('cell', { name: 'rice' }).waitFor()
      },
    ],
    object: ['#/data/Todo/milk', (dashboard) => dashboard.page.getByLabel('JSON').waitFor()],
    'missing class': ['#/data/None', (dashboard) => dashboard.heading('No such class').waitFor()],
    schema: ['#/schema', (dashboard) => dashboard.heading('Schema').waitFor()],
    'new class': ['#/schema', openDialog('New class', 'New class')],
    class: ['#/schema/Todo', (dashboard) => dashboard.page.getByText('id asc').waitFor()],
    drop: ['#/schema/Todo', openDialog('Drop class', 'Drop Todo?')],
    users: [
      '#/users',
      (dashboard) => dashboard.page.getByText('given by the server itself').first().waitFor(),
    ],
    members: [
      '#/users',
      async (dashboard) => {
        await dashboard.button('Members of admin').click()
        await dashboard.button('Remove root from admin').waitFor()
      },
    ],
    live: ['#/live', (dashboard) => dashboard.heading('Grid').waitFor()],
    caching: ['#/caching', (dashboard) => dashboard.heading('Filter of stale keys').waitFor()],
    'purge everything': ['#/caching', openDialog('Purge everything', 'Purge everything?')],
    inspector: [
      '#/caching',
      async (dashboard) => {
        await dashboard.page.getByRole('textbox').fill('/v1/db/Todo/milk')
        await dashboard.button('Inspect').click()
        await dashboard.button('Purge this URL').waitFor()
      },
    ],
    api: ['#/api', (dashboard) => openOperation(dashboard, 'update')],
    health: ['#/health', (dashboard) => dashboard.page.getByText(/^Orestes .*, ready$/).waitFor()],
  }

  /** Texts of the dialogs' buttons and links that are not wholly within their dialog. */
  function clipped(buttons) {
    return buttons
      .filter((button) => {
        const around = button.closest('dialog').getBoundingClientRect()
        const { left, right } = button.getBoundingClientRect()
        return left < around.left || right > around.right
      })
      .map(({ textContent }) => textContent)
  }

  // a short run opens each page once in each theme and once at each size
  const modes = isShort() ? ['light', 'dark phone'] : Object.keys(MODES)
  for (const mode of modes) {
    test(`pages_${mode}_areUsableByEverybodyAndQuiet`, async () => {
      const outside = await Dashboard.open(browser, server, { mode })
      await outside.heading('Log in').waitFor()
      await outside.assertAccessible('log in')
      outside.assertQuiet()
      await outside.close()
      const dashboard = await Dashboard.enter(browser, server, { mode })
      for (const [name, [hash, reach]] of Object.entries(places)) {
        await dashboard.page.goto(`${server.base}/dashboard/${hash}`)
        await dashboard.page.reload()
        await reach(dashboard)
        await dashboard.assertAccessible(name)
        await picture(dashboard, `${name}-${mode}`)
      }
      dashboard.assertQuiet()
      await dashboard.close()
    })
  }

  test('page_ofAPhone_isNotWiderThanIt', async () => {
    const dashboard = await Dashboard.enter(browser, server, { mode: 'phone' })
    for (const [name, [hash, reach]] of Object.entries(places)) {
      await dashboard.page.goto(`${server.base}/dashboard/${hash}`)
      await dashboard.page.reload()
      await reach(dashboard)
      const width = await dashboard.page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= MODES.phone.viewport.width, `${name} is ${width} wide`)
      const cut = await dashboard.page.locator('dialog :is(a, button)').evaluateAll(clipped)
      assert.deepEqual(cut, [], name)
    }
    const nav = dashboard.page.getByRole('navigation', { name: 'Pages' })
    assert.equal(await nav.evaluate((it) => it.scrollWidth > it.clientWidth), false, 'pages are out of sight')
    await dashboard.goTo('#/data/Todo')
    await dashboard.page.getByRole('button', { name: 'Classes: Todo' }).click()
    await dashboard.page.getByRole('link', { name: 'User', exact: true }).click()
    await dashboard.heading('User').waitFor()
    await dashboard.close()
  })
})
