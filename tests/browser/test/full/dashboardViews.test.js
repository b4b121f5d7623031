import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'
import { Todos } from '../../src/todos.js'

const KEY = 'orestes-dashboard-views/Todo'
const OPEN = '#/data/Todo?q={"done":false}&sort=-priority'

describe('dashboard, saved views', () => {
  let parts, server, browser, todos, dashboard, page

  before(async () => {
    parts = await ownedServer({
      Todo: { text: 'String', done: 'Boolean', priority: 'Integer', next: 'Todo' },
    })
    ;({ server, browser } = parts)
    todos = new Todos(server, parts.root)
    await todos.reset()
  })

  after(() => parts?.clear())

  beforeEach(() => enter())

  afterEach(async () => {
    dashboard.assertQuiet()
    await dashboard.close()
  })

  async function enter(options) {
    dashboard = await Dashboard.enter(browser, server, { at: '#/data/Todo', ...options })
    page = dashboard.page
    await page.getByText('3 objects').waitFor()
  }

  const panel = () => page.getByRole('region', { name: 'Saved views' })
  const link = (name) => panel().getByRole('link', { name, exact: true })
  const names = () => panel().getByRole('link').allInnerTexts()
  const kept = () => page.evaluate((key) => JSON.parse(localStorage.getItem(key)), KEY)

  async function save(name) {
    await panel().getByLabel('Save this view as').fill(name)
    await panel().getByRole('button', { name: 'Save' }).click()
  }

  async function saveOpenLive() {
    await dashboard.goTo(OPEN)
    await dashboard.button('Live').click()
    await page.getByText('Live: 2 objects').waitFor()
    await dashboard.button('Views').click()
    await save('open')
    await link('open').waitFor()
  }

  test('view_saved_isOpenedWithFilterOrderAndLive', async () => {
    await saveOpenLive()
    await dashboard.button('Live').click()
    await dashboard.goTo('#/data/Todo')
    await dashboard.untilTexts('milk', 'tea', 'bread')
    await page.reload()
    await dashboard.untilTexts('milk', 'tea', 'bread')
    await dashboard.button('Views').click()
    assert.equal(await link('open').getAttribute('aria-current'), 'false')

    await link('open').click()
    await page.getByText('Live: 2 objects').waitFor()
    await dashboard.untilTexts('milk', 'bread')
    assert.equal(await dashboard.filterText(), '{"done":false}')
    assert.equal(
      await page.getByRole('columnheader', { name: 'priority' }).getAttribute('aria-sort'),
      'descending',
    )
    assert.equal(await link('open').getAttribute('aria-current'), 'true')
  })

  test('view_ofANameThatExists_replacesItOnlyIfSo', async () => {
    await saveOpenLive()
    await dashboard.goTo('#/data/Todo?q={"done":true}')
    await save('open')
    await panel().getByText('There is a view called open already.').waitFor()
    assert.equal((await kept())[0].filter, '{"done":false}')
    await panel().getByRole('button', { name: 'Replace it' }).click()
    await panel().getByText('{"done":true}, live').waitFor()

    assert.deepEqual(await kept(), [
      { name: 'open', filter: '{"done":true}', sort: '', columns: '', isLive: true },
    ])
  })

  test('view_renamedAndDeleted_byKeyboard', async () => {
    await saveOpenLive()
    await save('other')
    await link('other').waitFor()
    await dashboard.button('Rename open').focus()
    await page.keyboard.press('Enter')
    await panel().getByLabel('New name of open').fill('other')
    await page.keyboard.press('Enter')
    await panel().getByText('There is a view called other already.').waitFor()
    await panel().getByLabel('New name of open').fill('to do')
    await page.keyboard.press('Enter')
    await link('to do').waitFor()
    assert.deepEqual(await names(), ['other', 'to do'])
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Saved views')

    await dashboard.button('Delete other').focus()
    await page.keyboard.press('Enter')
    await dashboard.heading('Delete the view other?').waitFor()
    await dashboard.button('Delete view').click()
    await link('other').waitFor({ state: 'detached' })
    assert.deepEqual(await names(), ['to do'])
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Saved views')
    await save('  ')
    await panel().getByText('A view needs a name.').waitFor()
  })

  test('view_ofARemovedField_reportsIt', async () => {
    await dashboard.goTo('#/data/Todo?sort=lost')
    await dashboard.button('Views').click()
    await save('old')

    await panel().getByText('No field any more: lost').waitFor()
  })

  test('storage_withInvalidContent_isIgnored', async () => {
    await page.evaluate((key) => localStorage.setItem(key, '[{"name": 3}, null, "'), KEY)
    await page.reload()
    await page.getByText('3 objects').waitFor()
    await dashboard.button('Views').click()
    await panel().getByText('None yet.').waitFor()
    await save('all')

    await link('all').waitFor()
  })

  test('storage_full_isReported', async () => {
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await dashboard.button('Views').click()
    await save('all')

    await panel().getByText('This browser does not keep it').waitFor()
    assert.deepEqual(await names(), [])
  })

  test('view_savedInAnotherTab_isThereAtOnce', async () => {
    await dashboard.button('Views').click()
    await panel().getByText('None yet.').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${server.base}/dashboard/#/data/Todo`)
    await other.getByRole('button', { name: 'Views', exact: true }).click()
    await other.getByLabel('Save this view as').fill('from afar')
    await other.getByRole('button', { name: 'Save', exact: true }).click()

    await link('from afar').waitFor()
  })

  for (const mode of Object.keys(MODES)) {
    test(`views_${mode}_areUsableByEverybody`, async () => {
      await dashboard.close()
      await enter({ mode })
      await saveOpenLive()
      await dashboard.button('Rename open').click()
      await dashboard.assertAccessible('saved views')
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= MODES[mode].viewport.width, `${width}`)
    })
  }
})
