import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'
import { Todos } from '../../src/todos.js'

const NEXT = 5

describe('dashboard, previews of references', () => {
  let parts, server, browser, root, todos, dashboard, page

  before(async () => {
    parts = await ownedServer({
      Todo: { text: 'String', done: 'Boolean', priority: 'Integer', next: 'Todo' },
    })
    ;({ server, browser, root } = parts)
    todos = new Todos(server, root)
  })

  after(() => parts?.clear())

  beforeEach(() => todos.reset())

  afterEach(() => dashboard.close())

  async function enter(options) {
    dashboard = await Dashboard.enter(browser, server, { at: '#/data/Todo', ...options })
    page = dashboard.page
    await page.getByText(/^\d+ objects$/).waitFor()
  }

  const link = (row = 1) => dashboard.cell(row, NEXT).getByRole('link')
  const card = () => page.getByRole('tooltip')
  const reads = () =>
    dashboard.asked.filter((url) => /\/db\/Todo\/[a-z]/.test(url) && !/query|count/.test(url))

  /** Moves by keyboard alone from the cell to its link. */
  async function tabToLink(row = 1) {
    // objects may be counted before they are loaded
    await link(row).waitFor()
    await dashboard.cell(row, NEXT).focus()
    await page.keyboard.press('Tab')
  }

  test('reference_hovered_showsItsObject_untilThePointerHasLeftBoth', async () => {
    await enter()
    const before = await page.getByRole('grid').boundingBox()
    await link().hover()
    await card().getByText('milk').waitFor()
    assert.match(
      await card().innerText(),
      /^Todo a\s+text\s+milk\s+done\s+false\s+priority\s+3\s+Version \d+/,
    )
    assert.deepEqual(await page.getByRole('grid').boundingBox(), before)
    assert.equal(await link().getAttribute('aria-describedby'), await card().getAttribute('id'))

    await card().hover()
    await page.mouse.move(5, 5)
    await card().waitFor({ state: 'detached' })
    assert.equal(await link().getAttribute('aria-describedby'), null)
    await link().hover()
    await card().getByText('milk').waitFor()
    assert.equal(reads().length, 1, `${reads()}`)
    dashboard.assertQuiet()
  })

  test('reference_reachedByKeyboard_isPreviewedAndAnnounced_andEscapeCloses', async () => {
    await enter()
    await tabToLink()

    await card().getByText('milk').waitFor()
    await page.getByRole('status').filter({ hasText: 'Todo a, text milk, done false, priority 3' }).waitFor()
    await page.keyboard.press('Escape')
    await card().waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => document.activeElement.innerText), 'a')
    dashboard.assertQuiet()
  })

  test('escape_overACellThatIsEdited_closesThePreviewFirst', async () => {
    await enter()
    await dashboard.cell(0, 2).dblclick()
    const box = page.getByRole('textbox', { name: 'text' })
    await box.fill('oat milk')
    await link().hover()
    await card().getByText('Todo a').waitFor()

    await page.keyboard.press('Escape')
    await card().waitFor({ state: 'detached' })
    assert.equal(await box.inputValue(), 'oat milk')
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
    dashboard.assertQuiet()
  })

  test('reference_toAnAbsentObject_reportsIt', async () => {
    await todos.remove('a')
    await enter()
    await link(0).hover()

    await card().getByText('There is no such object.').waitFor()
    dashboard.expectComplaints(/status of 404/)
    dashboard.assertQuiet()
  })

  test('reference_toAnUnreadableObject_reportsItInTheViewOfThatUser', async () => {
    await server.call(
      'POST',
      '/db/User/register',
      { user: { username: 'ann' }, password: 'ann’s secret' },
      root,
    )
    await todos.write('a', { text: 'secret', acl: { read: { '/db/Role/1': 'allow' } } })
    await enter({ at: '#/data/Todo' })
    await dashboard.goTo('#/users')
    await dashboard.button('View as ann').click()
    await dashboard.goTo('#/data/Todo')
    await page.getByText('2 objects').waitFor()
    await link(0).hover()

    await card().getByText('There is no such object, or it may not be read.').waitFor()
    assert.equal(await page.getByText('secret').count(), 0)
    dashboard.expectComplaints(/status of 404/)
    dashboard.assertQuiet()
  })

  test('references_crossed_areNotLoaded', async () => {
    const operations = Array.from({ length: 50 }, (_, i) => ({
      insert: { id: `/db/Todo/d${i}`, text: 'x', next: `/db/Todo/d${i + 1}` },
    }))
    await server.call('POST', '/db/Todo/bulk', { operations }, root)
    await enter()
    await link(2 + 8).waitFor()
    // all in one call, so that a slow machine does not turn it into a stay
    const crossed = await page.getByRole('grid').evaluate((grid) => {
      const links = [...grid.querySelectorAll('[aria-colindex="6"] a')]
      const over = (element, from) =>
        element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, relatedTarget: from }))
      const out = (element, to) =>
        element.dispatchEvent(new PointerEvent('pointerout', { bubbles: true, relatedTarget: to }))
      for (let round = 0; round < 5; round++) {
        links.forEach((link, i) => {
          const before = links[i - 1] ?? grid
          out(before, link)
          over(link, before)
        })
      }
      return links.length
    })
    assert.ok(crossed > 10, `${crossed}`)

    await card().waitFor()
    await card().getByText('Version').waitFor()
    assert.equal(reads().length, 1, `${reads()}`)
    dashboard.assertQuiet()
  })

  test('preview_ofAnEditedObject_showsItsNewState', async () => {
    await enter()
    await link().hover()
    await card().getByText('milk').waitFor()
    await page.mouse.move(5, 5)
    await card().waitFor({ state: 'detached' })
    await dashboard.cell(0, 2).dblclick()
    await page.getByRole('textbox', { name: 'text' }).fill('oat drink')
    await page.keyboard.press('Enter')
    await dashboard.untilTexts('oat drink', 'tea', 'bread')

    await link().hover()
    await card().getByText('oat drink').waitFor()
    dashboard.assertQuiet()
  })

  test('reference_followed_closesItsPreview', async () => {
    await enter()
    await link().hover()
    await card().getByText('milk').waitFor()

    await link().click()
    await dashboard.heading('Todo a').waitFor()
    await card().waitFor({ state: 'detached' })
    dashboard.assertQuiet()
  })

  for (const mode of Object.keys(MODES)) {
    test(`preview_${mode}_isUsableByEverybody`, async () => {
      await enter({ mode })
      await tabToLink()
      await card().getByText('milk').waitFor()
      await dashboard.assertAccessible('preview')
      const { x, width } = await card().boundingBox()
      assert.ok(x >= 0 && x + width <= MODES[mode].viewport.width, `${x} + ${width}`)
      const whole = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(whole <= MODES[mode].viewport.width, `${whole}`)
      dashboard.assertQuiet()
    })
  }
})
