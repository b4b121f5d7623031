import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'
import { Todos } from '../../src/todos.js'

/** The part of an option that names it. */
const LABEL = '.cm-completionLabel'

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
  const list = () => page.getByRole('listbox', { name: 'Completions' })
  const option = (label) => list().getByText(label, { exact: true })
  const labels = () => list().locator(LABEL).allInnerTexts()
  const type = (text) => page.keyboard.type(text)
  const press = (key) => page.keyboard.press(key)
  const gone = () => list().waitFor({ state: 'detached' })

  /** The option that assistive technology announces. */
  const active = () =>
    box().evaluate((text, label) => {
      const id = text.getAttribute('aria-activedescendant')
      return id && text.getRootNode().getElementById(id)?.querySelector(label).innerText
    }, LABEL)

  /** Records from now on what screen readers announce, which the editor removes soon. */
  const recordAnnouncements = () =>
    box().evaluate((text) => {
      const region = text.getRootNode().querySelector('[aria-live]')
      window.announced = []
      new MutationObserver(() => window.announced.push(region.textContent)).observe(region, {
        childList: true,
      })
    })

  const hasFocus = () => box().evaluate((text) => text.getRootNode().activeElement === text)

  test('filter_writtenByKeyboard_isCompletedAndApplied', async () => {
    await recordAnnouncements()
    await type('{"pr')
    await option('priority').waitFor()
    assert.deepEqual(await labels(), ['priority'])
    assert.equal(await active(), 'priority')
    assert.equal(await box().getAttribute('aria-controls'), await list().getAttribute('id'))
    await page.waitForFunction(() => window.announced.includes('1 suggestion, arrow down to choose'))
    await press('Enter')
    assert.equal(await dashboard.filterText(), '{"priority": ')

    await option('$gt').waitFor()
    await type('$gte')
    await press('Tab')
    assert.equal(await dashboard.filterText(), '{"priority": {"$gte": }')
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
    assert.equal(await dashboard.filterText(), '{"priority": {"$gte": 2}, "done": false}')
    await press('Tab')
    await press('Enter')

    await dashboard.untilTexts('milk', 'bread')
  })

  test('list_closedByEscape_leavesTextAndKeysUnchanged', async () => {
    await type('{"te')
    await list().waitFor()
    await press('Escape')
    await gone()
    assert.equal(await dashboard.filterText(), '{"te')
    assert.equal(await box().getAttribute('aria-controls'), null)
    await press('Enter')
    assert.equal(await dashboard.filterText(), '{"te\n')
    await press('Control+z')
    await press('Control+Space')
    await list().waitFor()
    await press('ArrowLeft')
    await gone()
    await press('Tab')

    assert.ok(!(await hasFocus()))
    assert.equal(await dashboard.filterText(), '{"te')
  })

  test('nothingActive_TabLeavesAndEnterBreaksTheLine', async () => {
    await press('Control+Space')
    await option('text').waitFor()
    assert.equal(await active(), null)
    await press('Enter')
    assert.equal(await dashboard.filterText(), '\n')
    await press('Control+Space')
    await list().waitFor()
    await press('Tab')

    await gone()
    assert.ok(!(await hasFocus()))
    assert.equal(await dashboard.filterText(), '\n')
  })

  test('candidate_clicked_isInsertedAndCanBeUndone', async () => {
    await type('{"')
    await option('done').click()
    assert.equal(await dashboard.filterText(), '{"done": ')
    assert.ok(await hasFocus())
    await press('Control+z')
    assert.equal(await dashboard.filterText(), '{"')
    await press('End')
    await type('priority": {')
    await list().getByRole('option').nth(7).waitFor()
    const first = await labels()
    const { height } = await list().boundingBox()
    await list().click({ position: { x: 40, y: height - 12 } })
    await option(first[0]).waitFor({ state: 'detached' })
    assert.ok(!(await labels()).some((label) => first.includes(label)))
    assert.ok(await hasFocus())
    await box().click({ position: { x: 20, y: 20 } })

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
    await list().getByRole('option', { selected: true }).waitFor()
    await option('$gt').waitFor({ state: 'detached' })

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
      const line = await box().locator('.cm-line').boundingBox()
      const shown = await list().boundingBox()
      // letters are lower than their line
      assert.ok(shown.y >= line.y + 0.75 * line.height, 'below the text')
      assert.ok(shown.x >= 0 && shown.x + shown.width <= MODES[mode].viewport.width)
    })
  }
})
