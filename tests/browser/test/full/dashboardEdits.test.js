import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Dashboard, PASSWORD } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'
import { Todos } from '../../src/todos.js'

/** The smallest integer above those that a browser can distinguish. */
const HUGE = '9007199254740993'

describe('dashboard, edits', () => {
  let parts, server, todos, dashboard, page

  before(async () => {
    parts = await ownedServer({
      Todo: { text: 'String', done: 'Boolean', priority: 'Integer', next: 'Todo' },
    })
    server = parts.server
    todos = new Todos(server, parts.root)
  })

  after(() => parts?.clear())

  beforeEach(async () => {
    await todos.reset()
    dashboard = await Dashboard.enter(parts.browser, server, { at: '#/data/Todo' })
    page = dashboard.page
    await page.getByText('3 objects').waitFor()
  })

  afterEach(async () => {
    dashboard.assertQuiet()
    await dashboard.close()
  })

  const textBox = () => page.getByRole('textbox', { name: 'text' })
  const json = () => page.getByLabel('JSON')

  async function openJson(key) {
    await dashboard.goTo(`#/data/Todo/${key}`)
    await json().waitFor()
  }

  async function changeJson(from, to) {
    await json().fill((await json().inputValue()).replace(from, to))
  }

  test('text_ofSeveralLines_retainsThemInItsCell', async () => {
    await todos.write('a', { text: 'milk\nand eggs' })
    await dashboard.button('Refresh').click()
    await page.getByText('and eggs').waitFor()

    await dashboard.cell(0, 2).dblclick()
    await textBox().press('ControlOrMeta+End')
    await page.keyboard.type('!')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('and tea')
    await page.keyboard.press('Enter')
    await textBox().waitFor({ state: 'detached' })

    assert.equal((await todos.stored('a')).text, 'milk\nand eggs!\nand tea')
  })

  test('text_ofANewObject_hasSeveralLinesOrNone', async () => {
    await dashboard.button('New object').click()
    await page.waitForFunction(() => document.activeElement?.closest('dialog') && document.activeElement.id)
    await page.keyboard.type('d')
    await page.getByLabel('text').fill('one\ntwo')
    await page.keyboard.press('Enter')
    await page.getByText('4 objects').waitFor()
    await dashboard.button('New object').click()
    await page.getByLabel('key').fill('e')
    await dashboard.button('Create').click()
    await page.getByText('5 objects').waitFor()

    assert.equal((await todos.stored('d')).text, 'one\ntwo')
    assert.equal((await todos.stored('e')).text, null)
  })

  test('text_emptied_isNotUnset', async () => {
    await dashboard.cell(0, 2).dblclick()
    await textBox().fill('')
    await page.keyboard.press('Enter')
    await dashboard.untilTexts('', 'tea', 'bread')
    assert.equal((await todos.stored('a')).text, '')

    await dashboard.cell(0, 2).dblclick()
    await page.getByLabel('not set').check()
    await page.keyboard.press('Enter')
    await dashboard.untilTexts('–', 'tea', 'bread')
    assert.equal((await todos.stored('a')).text, null)
  })

  test('integer_thatABrowserCannotRepresent_isUnchanged', async () => {
    const raw = async (method, body) => {
      const response = await fetch(`${server.base}/v1/db/Todo/a`, {
        method,
        headers: { 'Content-Type': 'application/json', ...parts.root },
        body,
      })
      return response.text()
    }
    await raw('PUT', `{"id":"/db/Todo/a","text":"milk","priority":${HUGE}}`)
    await openJson('a')
    await page.getByText('priority: integers beyond 2^53').waitFor()
    await changeJson('milk', 'oat milk')
    await dashboard.button('Save').click()
    await dashboard.untilTexts('oat milk', 'tea', 'bread')
    await dashboard.cell(0, 4).getByText('≈').waitFor()
    assert.match(await raw('GET'), new RegExp(`"priority":${HUGE}\\b`))

    await openJson('a')
    await changeJson('9007199254740992', '9007199254740996')
    await dashboard.button('Save').click()
    await page.getByText('priority has an integer beyond 2^53').waitFor()
    assert.match(await raw('GET'), new RegExp(`"priority":${HUGE}\\b`))
  })

  test('deletion_ofAChangedObject_isNotDone', async () => {
    await dashboard.cell(0, 0).check()
    await dashboard.cell(1, 0).check()
    await todos.write('a', { text: 'keep this', done: true })

    await dashboard.button('Delete 2 selected').click()
    await dashboard.button('Delete 2 objects').click()

    await page.getByText('1 object is left').waitFor()
    await dashboard.button('Cancel').click()
    await dashboard.untilTexts('keep this', 'bread')
    assert.equal((await todos.stored('a')).text, 'keep this')
    await page.getByRole('button', { name: /selected$/ }).waitFor({ state: 'detached' })
  })

  test('selection_ofALiveTable_containsItsCurrentObjects', async () => {
    await dashboard.button('Live').click()
    await page.getByText('Live: 3 objects').waitFor()
    await dashboard.cell(0, 0).check()
    await dashboard.cell(1, 0).check()
    await dashboard.button('Delete 2 selected').waitFor()

    await todos.remove('a')

    await dashboard.button('Delete 1 selected').click()
    await dashboard.button('Delete 1 object').click()
    await dashboard.untilTexts('bread')
  })

  test('edit_inALiveTable_followsItsObject', async () => {
    await dashboard.button('Live').click()
    await page.getByText('Live: 3 objects').waitFor()
    await dashboard.cell(1, 2).dblclick()
    await textBox().fill('green tea')

    await todos.write('aa', { text: 'between' })
    await page.getByText('Live: 4 objects').waitFor()
    assert.equal(await textBox().inputValue(), 'green tea')
    await textBox().press('Enter')

    await dashboard.untilTexts('milk', 'between', 'green tea', 'bread')
    assert.equal((await todos.stored('aa')).text, 'between')
  })

  test('edit_ofAnObjectThatLeaves_isStillShown', async () => {
    await dashboard.button('Live').click()
    await page.getByText('Live: 3 objects').waitFor()
    await dashboard.cell(1, 2).dblclick()
    await textBox().fill('green tea')

    await todos.remove('b')

    await page.getByRole('alert').filter({ hasText: 'green tea' }).waitFor()
    await dashboard.button('Dismiss').click()
    await dashboard.untilTexts('milk', 'bread')
  })

  test('edit_ofTheLastObjectThatLeaves_isStillShownAndContinuesWhenItReturns', async () => {
    await dashboard.goTo('#/data/Todo?q={"done":true}')
    await dashboard.untilTexts('tea')
    await dashboard.button('Live').click()
    await page.getByText('Live: 1 object').waitFor()
    await dashboard.cell(0, 2).dblclick()
    await textBox().fill('green tea')

    await todos.write('b', { text: 'black tea', done: false })
    await dashboard.heading('Nothing matches the filter').waitFor()
    await page.getByRole('alert').filter({ hasText: 'green tea' }).waitFor()
    await todos.write('b', { text: 'white tea', done: true })

    await page.getByText('Live: 1 object').waitFor()
    assert.equal(await textBox().inputValue(), 'green tea')
  })

  test('edit_scrolledOutOfSight_continues', async () => {
    const operations = Array.from({ length: 300 }, (_, i) => ({
      insert: { id: `/db/Todo/d${i}`, text: 'x' },
    }))
    await server.call('POST', '/db/Todo/bulk', { operations }, parts.root)
    await dashboard.button('Refresh').click()
    await page.getByText('303 objects').waitFor()
    await dashboard.cell(0, 2).dblclick()
    await textBox().fill('soy milk')

    for (const to of [300, 0]) {
      await page.getByRole('grid').evaluate((grid, row) => grid.scrollTo(0, row * 38), to)
      await dashboard.cell(to === 0 ? 0 : 290, 1).waitFor()
      assert.equal(await textBox().inputValue(), 'soy milk')
    }
    await page.keyboard.press('Enter')
    await textBox().waitFor({ state: 'detached' })

    assert.equal((await todos.stored('a')).text, 'soy milk')
  })

  test('object_openedInAView_returnsToIt', async () => {
    await dashboard.goTo('#/data/Todo?q={"done":false}&sort=-text')
    await dashboard.untilTexts('milk', 'bread')
    await dashboard.cell(1, 0).check()

    await dashboard.cell(0, 1).getByRole('link').click()
    await dashboard.heading('Todo a').waitFor()
    await dashboard.button('Close').click()

    await dashboard.untilTexts('milk', 'bread')
    await dashboard.button('Delete 1 selected').waitFor()
    await dashboard.cell(1, 1).focus()
    await page.keyboard.press('Enter')
    await dashboard.heading('Todo c').waitFor()
    await page.goBack()
    await dashboard.untilTexts('milk', 'bread')
  })

  test('escape_closesTheQuestionAndNotTheObject', async () => {
    await openJson('a')
    await dashboard.button('Delete').click()
    await dashboard.heading('Delete 1 object?').waitFor()
    await page.keyboard.press('Escape')
    await dashboard.heading('Delete 1 object?').waitFor({ state: 'detached' })
    await dashboard.heading('Todo a').waitFor()

    await changeJson('milk', 'mine')
    await page.keyboard.press('Escape')
    await dashboard.heading('Discard what you typed?').waitFor()
    await page.keyboard.press('Escape')
    await dashboard.heading('Discard what you typed?').waitFor({ state: 'detached' })
    assert.match(await json().inputValue(), /mine/)
    await dashboard.button('Close').first().click()
    await dashboard.button('Discard').click()
    await dashboard.untilNoDialog()

    assert.equal((await todos.stored('a')).text, 'milk')
  })

  test('escape_rightAfterALetter_asksForConfirmation', async () => {
    await openJson('a')
    await json().evaluate(async (box) => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')
      set.call(box, box.value.replace('milk', 'mine'))
      box.dispatchEvent(new Event('input', { bubbles: true }))
      await Promise.resolve()
      box.closest('dialog').dispatchEvent(new Event('cancel', { cancelable: true }))
    })

    await dashboard.heading('Discard what you typed?').waitFor()
    await dashboard.button('Discard').click()
    await dashboard.untilNoDialog()
  })

  test('session_ended_isRenewedAndRetainsTheEdit', async () => {
    await openJson('a')
    await changeJson('milk', 'rye bread')
    await page.evaluate(() => {
      const token = localStorage.getItem('orestes-dashboard-token')
      localStorage.setItem('orestes-dashboard-token', token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'))
    })
    await dashboard.button('Save').click()
    await dashboard.heading('Your session has ended').waitFor()
    await dashboard.assertAccessible('session ended')

    await page.getByLabel('Password').fill(PASSWORD)
    await dashboard.button('Log in').click()
    await dashboard.heading('Your session has ended').waitFor({ state: 'detached' })
    assert.match(await json().inputValue(), /rye bread/)
    await dashboard.button('Save').click()

    await dashboard.untilTexts('rye bread', 'tea', 'bread')
    dashboard.expectComplaints(/status of (460|404)/)
  })

  test('page_inABackgroundTab_isLoaded', async () => {
    await page.addInitScript(() => Object.defineProperty(Document.prototype, 'hidden', { get: () => true }))
    await dashboard.goTo('#/health')
    await page.reload()

    await page.getByText(/^Orestes .*, ready$/).waitFor()
  })

  test('role_isCreatedOnThePageOfUsers', async () => {
    await dashboard.goTo('#/data/Role')
    await dashboard.heading('Role').waitFor()
    await dashboard.button('New object').click()

    await dashboard.heading('Users and roles').waitFor()
  })
})
