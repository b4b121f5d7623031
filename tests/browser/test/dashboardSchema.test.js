import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard } from '../src/dashboard.js'
import { ownedServer } from '../src/owned.js'

describe('dashboard, schema', () => {
  let parts, server, browser, dashboard, page

  before(async () => {
    parts = await ownedServer()
    ;({ server, browser } = parts)
    dashboard = await Dashboard.enter(browser, server, { at: '#/schema' })
    page = dashboard.page
  })

  after(() => parts?.clear())

  test('class_madeByHand_takesObjectsAndIsDropped', async () => {
    await dashboard.button('New class').click()
    await page.getByLabel('Name').fill('Book')
    await dashboard.button('Create class').click()
    await dashboard.heading('Book').waitFor()
    for (const [name, kind] of [
      ['title', 'String'],
      ['pages', 'Integer'],
      ['sequel', 'Book'],
    ]) {
      await page.getByLabel('New field').fill(name)
      await page.getByLabel('Type').selectOption({ label: kind })
      await dashboard.button('Add field').click()
      await page.getByRole('row', { name: `${name} ${kind}` }).waitFor()
    }
    await page.getByLabel('Index on').selectOption('pages')
    await dashboard.button('Add index').click()
    await page.getByText('pages asc, id asc', { exact: true }).waitFor()
    await page.getByText('insert').waitFor()

    const { body } = await server.call('GET', '/schema/Book')
    const types = Object.values(body.fields).map((field) => field.type)
    assert.deepEqual(types, ['/db/String', '/db/Integer', '/db/Book'])
    await page.getByRole('link', { name: 'Show objects' }).click()
    await dashboard.heading('No objects yet').waitFor()
    await dashboard.goTo('#/schema/Book')
    await dashboard.button('Drop index pages asc, id asc').click()
    await dashboard.button('Cancel').click()
    await page.getByText('pages asc, id asc', { exact: true }).waitFor()
    await dashboard.button('Drop index pages asc, id asc').click()
    await dashboard.button('Drop index').click()
    await page.getByText('pages asc, id asc', { exact: true }).waitFor({ state: 'detached' })
    await dashboard.button('Drop class').click()
    await dashboard.button('Drop class and objects').click()
    await dashboard.heading('Schema').waitFor()
    await page.getByRole('link', { name: 'Book' }).first().waitFor({ state: 'detached' })

    assert.equal((await server.call('GET', '/schema/Book')).status, 461)
    dashboard.assertQuiet()
  })

  test('class_madeByOthers_isThereAfterARefresh', async () => {
    await dashboard.goTo('#/schema/Late')
    await dashboard.heading('No such class').waitFor()
    const fields = { name: { name: 'name', type: '/db/String' } }
    await server.call('POST', '/schema/Late', { class: '/db/Late', fields }, parts.root)

    await dashboard.button('Refresh').click()

    await page.getByRole('row', { name: 'name String' }).waitFor()
    fields.more = { name: 'more', type: '/db/Integer' }
    await server.call('POST', '/schema/Late', { class: '/db/Late', fields }, parts.root)
    await page.getByRole('link', { name: 'Show objects' }).click()
    await dashboard.button('Refresh').click()
    await dashboard.button('New object').click()
    await page.getByLabel('more').waitFor()
    await page.keyboard.press('Escape')
  })

  test('class_calledAsAnother_isRefused', async () => {
    await dashboard.goTo('#/schema')
    await dashboard.button('New class').click()
    await page.getByLabel('Name').fill('User')
    await dashboard.button('Create class').click()

    await page.getByText('There is a class called User already.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})
