import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'
import { Todos } from '../../src/todos.js'

describe('dashboard, completion of filters', () => {
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
    await dashboard.button('Filter').click()
    await dashboard.button('Edit as MongoDB filter').click()
    await box().focus()
  }

  const box = () => page.getByLabel('MongoDB filter')
  const list = () => page.getByRole('listbox', { name: 'Suggestions' })
  const option = (label) => list().getByText(label, { exact: true })
  const labels = () => list().locator('code').allInnerTexts()
  const type = (text) => page.keyboard.type(text)
  const press = (key) => page.keyboard.press(key)
  const gone = () => list().waitFor({ state: 'detached' })

  /** The option that assistive technology announces. */
  const active = () =>
    box().evaluate((area) => {
      const id = area.getAttribute('aria-activedescendant')
      return id && document.getElementById(id)?.querySelector('code').innerText
    })

  const hasFocus = () => box().evaluate((area) => document.activeElement === area)

  test('filter_writtenByKeyboard_isCompletedAndApplied', async () => {
    await type('{"pr')
    await option('priority').waitFor()
    assert.deepEqual(await labels(), ['priority'])
    assert.equal(await active(), 'priority')
    assert.equal(await box().getAttribute('aria-controls'), await list().getAttribute('id'))
    await page.getByText('1 suggestion, arrow down to choose').waitFor({ state: 'attached' })
    await press('Enter')
    assert.equal(await box().inputValue(), '{"priority": ')

    await option('$gt').waitFor()
    await type('$gte')
    await press('Tab')
    assert.equal(await box().inputValue(), '{"priority": {"$gte": }')
    assert.ok(await hasFocus())
    await type('2')
    await gone()
    await press('End')
    await type(', "do')
    await option('done').waitFor()
    await press('Enter')
    await option('false').waitFor()
    assert.equal(await active(), null)
    await press('ArrowDown')
    await press('ArrowDown')
    assert.equal(await active(), 'false')
    await press('Enter')
    await gone()
    await type('}')
    assert.equal(await box().inputValue(), '{"priority": {"$gte": 2}, "done": false}')
    await press('Tab')
    await press('Enter')

    await dashboard.untilTexts('milk', 'bread')
  })

  test('list_closedByEscape_leavesTextAndKeysUnchanged', async () => {
    await type('{"te')
    await list().waitFor()
    await press('Escape')
    await gone()
    assert.equal(await box().inputValue(), '{"te')
    assert.equal(await box().getAttribute('aria-controls'), null)
    await press('Enter')
    assert.equal(await box().inputValue(), '{"te\n')
    await press('Backspace')
    await list().waitFor()
    await press('ArrowLeft')
    await gone()
    await press('Tab')

    assert.ok(!(await hasFocus()))
    assert.equal(await box().inputValue(), '{"te')
  })

  test('nothingActive_TabLeavesAndEnterBreaksTheLine', async () => {
    await press('Control+Space')
    await option('text').waitFor()
    assert.equal(await active(), null)
    await press('Enter')
    assert.equal(await box().inputValue(), '\n')
    await press('Control+Space')
    await list().waitFor()
    await press('Tab')

    await gone()
    assert.ok(!(await hasFocus()))
    assert.equal(await box().inputValue(), '\n')
  })

  test('candidate_clicked_isInsertedAndCanBeUndone', async () => {
    await type('{"')
    await option('done').click()
    assert.equal(await box().inputValue(), '{"done": ')
    assert.ok(await hasFocus())
    await press('Control+z')
    assert.equal(await box().inputValue(), '{"')
    await press('End')
    await type('priority": {')
    await list().getByRole('option').nth(7).waitFor()
    const first = await labels()
    await list().locator('..').getByRole('button').click()
    await page.waitForFunction(
      (label) => document.querySelector('[role=option] code').innerText !== label,
      first[0],
    )
    assert.ok(!(await labels()).some((label) => first.includes(label)))
    assert.ok(await hasFocus())
    await box().click()

    await gone()
  })

  test('focusElsewhere_closesTheList', async () => {
    await type('{"te')
    await list().waitFor()
    await dashboard.button('Use the builder').focus()

    await gone()
  })

  test('arrowsUp_showTheLastCandidates', async () => {
    await type('{"priority": {')
    await option('$gt').waitFor()
    await press('ArrowUp')
    const last = list().getByRole('option', { selected: true })
    await last.waitFor()

    assert.equal(await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize'))
    await press('ArrowDown')
    assert.equal(await active(), '$gt')
  })

  for (const mode of Object.keys(MODES)) {
    test(`list_${mode}_isUsableByEverybody`, async () => {
      await dashboard.close()
      await enter({ mode })
      await type('{"priority": {')
      await option('$gt').waitFor()
      await press('ArrowDown')
      await dashboard.assertAccessible('suggestions')
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= MODES[mode].viewport.width, `${width}`)
      const [field, shown] = [await box().boundingBox(), await list().boundingBox()]
      const apply = await dashboard.button('Apply').boundingBox()
      assert.ok(shown.y >= field.y + field.height, 'below the field')
      assert.ok(apply.y >= shown.y + shown.height, 'over the button that applies the filter')
      assert.ok(shown.x >= 0 && shown.x + shown.width <= MODES[mode].viewport.width)
    })
  }
})
