import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'
import { Todos } from '../../src/todos.js'

describe('dashboard, choice of columns', () => {
  let parts, server, browser, dashboard, page

  before(async () => {
    parts = await ownedServer({
      Todo: { text: 'String', done: 'Boolean', priority: 'Integer', next: 'Todo' },
    })
    ;({ server, browser } = parts)
    await new Todos(server, parts.root).reset()
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

  const heads = () => page.getByRole('columnheader').allInnerTexts()
  const shown = async () => (await heads()).slice(1).map((text) => text.split(/\s/)[0])

  async function untilShown(...wanted) {
    const deadline = Date.now() + 40_000
    while (`${await shown()}` !== `${wanted}`) {
      assert.ok(Date.now() < deadline, `${await shown()} instead of ${wanted}`)
      await page.waitForTimeout(50)
    }
  }

  test('columns_hiddenAndMovedByKeyboard_areInTheAddress', async () => {
    await untilShown('id', 'text', 'done', 'priority', 'next', 'updatedAt')
    await dashboard.button('Columns').click()
    await page.getByRole('checkbox', { name: 'done' }).click()
    await page.getByRole('checkbox', { name: 'next' }).click()
    await untilShown('id', 'text', 'priority', 'updatedAt')
    await dashboard.button('Move priority left').focus()
    await page.keyboard.press('Enter')
    await untilShown('id', 'priority', 'text', 'updatedAt')
    await page.keyboard.press('Enter')
    await untilShown('id', 'priority', 'text', 'updatedAt')
    const focused = await page.evaluate(() => document.activeElement.getAttribute('aria-label'))
    assert.equal(focused, 'Move priority left')
    await dashboard.assertAccessible('columns')

    await page.reload()
    await untilShown('id', 'priority', 'text', 'updatedAt')

    await dashboard.button('Columns').click()
    await dashboard.button('All columns').click()
    await untilShown('id', 'text', 'done', 'priority', 'next', 'updatedAt')
  })

  test('columns_ofASavedView_areRestored', async () => {
    await dashboard.goTo('#/data/Todo?columns=id,priority')
    await untilShown('id', 'priority')
    await dashboard.button('Views').click()
    await page.getByLabel('Save this view as').fill('short')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('columns id, priority').waitFor()
    await dashboard.goTo('#/data/Todo')
    await untilShown('id', 'text', 'done', 'priority', 'next', 'updatedAt')

    await page.getByRole('link', { name: 'short', exact: true }).click()

    await untilShown('id', 'priority')
  })

  test('columns_ofRemovedFields_areLeftOut', async () => {
    await dashboard.goTo('#/data/Todo?columns=gone,text')

    await untilShown('id', 'text')
  })

  test('columns_onAPhone_fitTheScreen', async () => {
    await dashboard.close()
    await enter({ mode: 'phone' })
    await dashboard.button('Columns').click()
    await page.getByRole('checkbox', { name: 'done' }).click()
    await dashboard.assertAccessible('phone')

    const width = await page.evaluate(() => document.documentElement.scrollWidth)

    assert.ok(width <= MODES.phone.viewport.width)
  })
})
