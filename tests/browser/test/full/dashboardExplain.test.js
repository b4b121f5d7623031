import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'

describe('dashboard, explain', () => {
  let parts, server, browser, root, ann

  before(async () => {
    parts = await ownedServer({ Todo: { text: 'String', done: 'Boolean' } })
    ;({ server, browser, root } = parts)
    const registered = await server.call('POST', '/db/User/register', {
      user: { username: 'ann' },
      password: 'ann’s secret',
    })
    ann = registered.body
    const { body: role } = await server.call('POST', '/db/Role', { name: 'guest', users: [ann.id] }, root)
    const acl = { read: { [role.id]: 'deny' } }
    await server.call('POST', '/db/Todo', { id: '/db/Todo/milk', text: 'milk', done: false, acl }, root)
  })

  after(() => parts?.clear())

  test('object_unreadable_hasTheDecidingRule', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/data/Todo/milk' })
    const { page } = dashboard
    await page.getByRole('link', { name: 'Explain permissions' }).click()
    await page.getByText('Yes, who is not logged in may read it by its id: Todo milk.').waitFor()
    await page.getByLabel('Caller').selectOption('a user')
    await page.getByLabel('Name of the user').fill('ann')
    await dashboard.button('Explain').click()

    await page.getByText('No, ann may not read it by its id: Todo milk.').waitFor()
    const refusal = 'The permission “read” of the object refuses it, since it denies the role guest.'
    assert.equal(await page.getByText(refusal).count(), 2)
    const steps = await page.getByRole('list').getByRole('listitem').allInnerTexts()
    assert.equal(steps.length, 2)
    assert.match(steps[0], /^The permission “load” of the class grants it/)
    assert.match(steps[1], /decides$/)
    await page.getByRole('link', { name: 'Permissions in the object milk' }).click()
    await dashboard.heading('Todo milk').waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('user_explainedFromTheirRow_isTheCaller', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/users' })
    await dashboard.page.getByRole('link', { name: 'Explain what ann may do' }).click()

    assert.equal(await dashboard.page.getByLabel('Name of the user').inputValue(), 'ann')
    await dashboard.page.getByLabel('Wants to').selectOption('drop it')
    await dashboard.button('Explain').click()
    await dashboard.page.getByText('This is for admins only.').first().waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('liveQuery_explained_showsTheEventsOfItsSubscribers', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/explain/Todo/milk' })
    const { page } = dashboard
    await page.getByLabel('Wants to').selectOption('follow it by a live query')
    await page.getByLabel('Filter').fill('{"done":')
    await dashboard.button('Explain').click()
    await page.getByText('This is no JSON').waitFor()
    await page.getByLabel('Filter').fill('{"done":true}')
    await dashboard.button('Explain').click()

    await page
      .getByText('Version 1 of the object does not meet the filter of the live query.')
      .first()
      .waitFor()
    await page.getByText(/^Nobody is subscribed to this query/).waitFor()
    await page.getByText('What cannot be known:').waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('user_unknown_isReported', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/explain?user=nobody' })
    await dashboard.button('Explain').click()

    await dashboard.page.getByText('There is no user called nobody.').waitFor()
    await dashboard.close()
  })

  for (const mode of Object.keys(MODES)) {
    test(`explain_${mode}_isUsableByEverybody`, async () => {
      const dashboard = await Dashboard.enter(browser, server, { mode, at: '#/explain' })
      await dashboard.page.getByText('The server looks at its rules').waitFor()
      await dashboard.assertAccessible('no question yet')
      await dashboard.goTo('#/explain/Todo/milk?user=ann')
      await dashboard.page.getByText('No, ann may not').waitFor()
      await dashboard.page.getByLabel('Wants to').selectOption('follow it by a live query')
      await dashboard.button('Explain').click()
      await dashboard.heading('Events of the live query').waitFor()
      await dashboard.assertAccessible('answer')
      const width = await dashboard.page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= MODES[mode].viewport.width)
      dashboard.assertQuiet()
      await dashboard.close()
    })
  }
})
