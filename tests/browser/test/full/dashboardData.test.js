import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Dashboard } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'
import { Todos } from '../../src/todos.js'

const MANY = 100_000
const BULK = 1000

describe('dashboard, data', () => {
  let parts, server, browser, root, todos, dashboard, page

  before(async () => {
    parts = await ownedServer({
      Todo: { text: 'String', done: 'Boolean', priority: 'Integer', next: 'Todo' },
      Many: { n: 'Integer' },
    })
    ;({ server, browser, root } = parts)
    todos = new Todos(server, root)
  })

  after(() => parts?.clear())

  beforeEach(async () => {
    await todos.reset()
    dashboard = await Dashboard.enter(browser, server, { at: '#/data/Todo' })
    page = dashboard.page
    await page.getByText('3 objects').waitFor()
  })

  afterEach(async () => {
    dashboard.assertQuiet()
    await dashboard.close()
  })

  const write = (key, fields) => todos.write(key, fields)
  const stored = (key) => todos.stored(key)
  const untilTexts = (...wanted) => dashboard.untilTexts(...wanted)

  test('column_clicked_ordersByIt', async () => {
    await untilTexts('milk', 'tea', 'bread')
    const head = page.getByRole('columnheader', { name: 'text' })
    await head.getByRole('button').click()
    await untilTexts('bread', 'milk', 'tea')
    assert.equal(await head.getAttribute('aria-sort'), 'ascending')
    await head.getByRole('button').click()
    await untilTexts('tea', 'milk', 'bread')
    await page.goBack()
    await untilTexts('bread', 'milk', 'tea')
  })

  test('filter_built_findsObjects', async () => {
    await dashboard.button('Filter').click()
    await page.getByLabel('Field').selectOption('priority')
    await page.getByLabel('Comparison').selectOption('is at least')
    await page.getByLabel('Value').fill('two')
    await dashboard.button('Apply').click()
    await page.getByText('two is not a whole number').waitFor()
    await page.getByLabel('Value').fill('2')
    await dashboard.button('Apply').click()
    await untilTexts('milk', 'bread')
    assert.equal(await page.evaluate(() => document.activeElement.innerText), 'Apply')

    assert.equal(await dashboard.filterText(), '{"priority":{"$gte":2}}')
    await page.getByLabel('MongoDB filter').fill('{"done": true}')
    await dashboard.button('Apply').click()
    await untilTexts('tea')
    await dashboard.button('Use the builder').click()
    await page.getByLabel('Value').fill('')
    await dashboard.button('Edit as MongoDB filter').click()
    assert.equal(await dashboard.filterText(), '{"done": true}')
    await page.getByLabel('MongoDB filter').fill('{"done": ')
    await page.keyboard.press('Escape')
    await dashboard.button('Apply').click()
    await page.getByText('This is no JSON').waitFor()
    await dashboard.button('Show all objects').click()
    await untilTexts('milk', 'tea', 'bread')
  })

  test('filter_changed_clearsTheSelection', async () => {
    await dashboard.cell(0, 0).check()
    await dashboard.cell(1, 0).check()
    await dashboard.button('Delete 2 selected').waitFor()

    await dashboard.goTo('#/data/Todo?q={"done":true}')
    await untilTexts('tea')

    await page.getByRole('button', { name: /^Delete/ }).waitFor({ state: 'detached' })
  })

  test('filter_refusedByTheServer_isExplained', async () => {
    await page.goto(`${server.base}/dashboard/#/data/Todo?q={"text":{"$none":1}}`)

    await page.getByRole('alert').filter({ hasText: '$none' }).first().waitFor()
    // one error of the page, and one of the count
    dashboard.expectComplaints(/status of 4\d\d/)
  })

  test('cell_edited_isStored', async () => {
    await dashboard.cell(0, 2).dblclick()
    await page.getByRole('textbox', { name: 'text' }).fill('oat milk')
    await page.keyboard.press('Enter')
    await untilTexts('oat milk', 'tea', 'bread')
    await dashboard.cell(0, 4).dblclick()
    await page.getByRole('textbox', { name: 'priority' }).fill('much')
    await page.keyboard.press('Enter')
    await page.getByText('much is not a whole number').waitFor()
    await page.keyboard.press('Escape')

    assert.deepEqual([(await stored('a')).text, (await stored('a')).priority], ['oat milk', 3])
  })

  test('cell_changedByAnotherUser_offersBothValues', async () => {
    for (const [button, text, wanted] of [
      ['Keep theirs', 'theirs', 'theirs'],
      ['Store mine', 'theirs again', 'mine'],
    ]) {
      await dashboard.cell(0, 2).dblclick()
      await write('a', { text, done: false, priority: 3 })
      await page.getByRole('textbox', { name: 'text' }).fill('mine')
      await page.keyboard.press('Enter')
      await dashboard.heading('Somebody else was faster').waitFor()
      await dashboard.assertAccessible('conflict')
      assert.equal((await stored('a')).text, text)
      await dashboard.button(button).click()
      await untilTexts(wanted, 'tea', 'bread')
      assert.equal((await stored('a')).text, wanted)
    }
    dashboard.expectComplaints(/status of 412/)
  })

  test('keyboard_alone_isSufficient', async () => {
    await dashboard.cell(0, 1).focus()
    for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('textbox', { name: 'text' }).waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('green tea')
    await page.keyboard.press('Enter')
    await untilTexts('milk', 'green tea', 'bread')
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-cell') === '1:2')
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await dashboard.button('Delete 2 selected').focus()
    await page.keyboard.press('Enter')
    await dashboard.button('Delete 2 objects').focus()
    await page.keyboard.press('Enter')

    await untilTexts('milk')
    await page.getByText('1 object', { exact: true }).waitFor()
    assert.equal(await todos.count(), 1)
  })

  test('object_created_isShown', async () => {
    await dashboard.button('New object').click()
    await page.getByLabel('key').fill('d')
    await page.getByLabel('text').fill('cake')
    await page.getByLabel('done').selectOption('true')
    await page.getByLabel('priority').fill('1.5')
    await page.getByLabel('next').fill('a')
    await dashboard.button('Create').click()
    await page.getByText('priority: 1.5 is not a whole number').waitFor()
    await page.getByLabel('priority').fill('15')
    await dashboard.button('Create').click()
    await untilTexts('milk', 'tea', 'bread', 'cake')

    const { text, done, priority, next } = await stored('d')
    assert.deepEqual(
      { text, done, priority, next },
      { text: 'cake', done: true, priority: 15, next: '/db/Todo/a' },
    )
  })

  test('reference_followed_opensTheObjectAsJson', async () => {
    await dashboard.cell(1, 5).getByRole('link', { name: 'a', exact: true }).click()
    await dashboard.heading('Todo a').waitFor()
    const json = await page.getByLabel('JSON').inputValue()
    await page.getByLabel('JSON').fill(json.replace('milk', 'soy milk'))
    await dashboard.button('Save').click()

    await untilTexts('soy milk', 'tea', 'bread')
    assert.equal((await stored('a')).text, 'soy milk')
  })

  test('json_ofAnObjectChangedByAnotherUser_isNotStored', async () => {
    await page.goto(`${server.base}/dashboard/#/data/Todo/a`)
    await page.getByLabel('JSON').waitFor()
    const json = await page.getByLabel('JSON').inputValue()
    await page.getByLabel('JSON').fill(json.replace('milk', 'mine'))
    await write('a', { text: 'theirs' })
    await dashboard.button('Save').click()
    await page.getByText('Somebody else has changed or deleted this object').waitFor()
    await dashboard.button('Load the newest state').click()
    await page.waitForFunction(() => document.querySelector('dialog textarea')?.value.includes('theirs'))

    assert.equal((await stored('a')).text, 'theirs')
    dashboard.expectComplaints(/status of 412/)
  })

  test('live_showsWhatOthersWrite', async () => {
    await dashboard.button('Live').click()
    await page.getByText('Live: 3 objects').waitFor()

    await write('aa', { text: 'between' })
    await untilTexts('milk', 'between', 'tea', 'bread')
    await write('b', { text: 'no tea' })
    await untilTexts('milk', 'between', 'no tea', 'bread')
    await server.call('DELETE', '/db/Todo/a', undefined, root)
    await untilTexts('between', 'no tea', 'bread')
    await page.getByText('Live: 3 objects').waitFor()
  })

  test('class_ofManyObjects_staysFast', { timeout: 280_000 }, async () => {
    for (let from = 0; from < MANY; from += BULK) {
      const operations = Array.from({ length: BULK }, (_, i) => ({
        insert: { id: `/db/Many/${String(from + i).padStart(6, '0')}`, n: from + i },
      }))
      assert.equal((await server.call('POST', '/db/Many/bulk', { operations }, root)).status, 200)
    }
    const began = Date.now()
    await dashboard.goTo('#/data/Many')
    await dashboard.cell(0, 1).getByText('000000').waitFor()
    const first = Date.now() - began
    const queries = dashboard.asked.filter((url) => url.includes('/db/Many/query')).length
    await page.getByText('100,000 objects').waitFor()
    await dashboard.cell(0, 2).focus()
    await page.keyboard.press('ControlOrMeta+End')
    await page.getByRole('gridcell', { name: String(MANY - 1), exact: true }).waitFor()
    const focused = () => page.evaluate(() => document.activeElement.getAttribute('data-cell'))
    assert.match(await focused(), new RegExp(`^${MANY - 1}:`))

    const rows = await page.getByRole('row').count()
    assert.ok(rows < 80, `${rows} rows in the page`)
    assert.ok(queries < 10, `${queries} queries until the first row`)
    console.log(`first row of ${MANY} objects after ${first} ms`)
  })
})
