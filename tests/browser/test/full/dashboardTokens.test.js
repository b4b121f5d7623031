import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'

describe('dashboard, tokens', () => {
  let parts, server, browser, root, ann

  before(async () => {
    parts = await ownedServer({ Todo: { text: 'String', done: 'Boolean' } })
    ;({ server, browser, root } = parts)
    const registered = await server.call('POST', '/db/User/register', {
      user: { username: 'ann' },
      password: 'ann’s secret',
    })
    ann = registered.body.id
    const acl = { read: { '/db/Role/1': 'allow' } }
    await server.call('POST', '/db/Todo', { id: '/db/Todo/hidden', text: 'secret', acl }, root)
    await server.call('POST', '/db/Todo', { id: '/db/Todo/shown', text: 'public' }, root)
  })

  after(() => parts?.clear())

  const status = async (token) =>
    (await server.call('GET', ann, undefined, { Authorization: `BAT ${token}` })).status

  test('token_created_hasThePermissionsOfItsUser_untilAllAreRevoked', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/users' })
    await dashboard.button('Tokens of ann').click()
    await dashboard.page.getByLabel('It lasts').selectOption('until it is revoked')
    await dashboard.button('Make a token').click()
    const token = (await dashboard.page.locator('figure pre').innerText()).trim()
    assert.equal(await status(token), 200)

    await dashboard.button('Revoke all tokens').click()
    await dashboard.button('Revoke').click()
    await dashboard.page.getByText('All sessions and tokens of ann have ended.').waitFor()

    assert.equal(await status(token), 460)
    await dashboard.page.locator('figure pre').waitFor({ state: 'detached' })
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('ownTokens_revoked_leaveThisSession', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/users' })
    const token = () => dashboard.page.evaluate(() => localStorage.getItem('orestes-dashboard-token'))
    const before = await token()
    await dashboard.button('Tokens of root').click()
    await dashboard.button('Revoke all tokens').click()
    await dashboard.button('Revoke').click()
    await dashboard.page.getByText('All sessions and tokens of root have ended.').waitFor()
    await dashboard.button('Close').click()

    assert.notEqual(await token(), before)
    await dashboard.goTo('#/data/Todo')
    await dashboard.page.getByText('2 objects').waitFor()
    await dashboard.close()
    const { headers } = await server.call('POST', '/db/User/login', {
      username: 'root',
      password: 'correct horse battery',
    })
    root.Authorization = `BAT ${headers.get('baqend-authorization-token')}`
  })

  test('view_asAUser_showsWhatTheyMayReadAndChangesNothing', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/users' })
    const { page } = dashboard
    const written = []
    page.on('request', (request) => {
      if (!['GET', 'HEAD'].includes(request.method())) written.push(new URL(request.url()).pathname)
    })
    await dashboard.button('View as ann').click()
    await page.getByText('You see the data as ann does').waitFor()
    await dashboard.untilTexts('public')
    for (const name of ['New object', 'Import', 'Export'])
      assert.equal(await dashboard.button(name).count(), 0)
    await dashboard.cell(0, 2).dblclick()
    assert.equal(await page.getByRole('textbox', { name: 'text' }).count(), 0)
    await dashboard.button('Live').click()
    await page.getByText('Live: 1 object').waitFor()
    await server.call('POST', '/db/Todo', { id: '/db/Todo/new', text: 'new' }, root)
    await page.getByText('Live: 2 objects').waitFor()
    await dashboard.goTo('#/data/Todo/hidden')
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: /./ }).first().waitFor()
    await dashboard.goTo('#/data/Todo/shown')
    await page.getByLabel('JSON').waitFor()
    assert.equal(await dashboard.button('Save').count(), 0)
    const kept = await page.evaluate(() => Object.keys(localStorage).concat(Object.keys(sessionStorage)))
    assert.deepEqual(kept, ['orestes-dashboard-token'])
    await dashboard.button('Close').click()
    await dashboard.button('Back to your own view').click()

    await dashboard.untilTexts('secret', 'new', 'public')
    assert.deepEqual([...new Set(written)], [`/v1${ann}/token`])
    await dashboard.button('View as ann').waitFor({ state: 'detached' })
    dashboard.expectComplaints(/status of 404/)
    await dashboard.close()
  })

  test('view_slowToBegin_doesNotReplaceALaterOne', async () => {
    await server.call('POST', '/db/User/register', { user: { username: 'bob' }, password: 'bob’s secret' })
    const dashboard = await Dashboard.enter(browser, server, { at: '#/users' })
    const { page } = dashboard
    const asked = new Promise((resolve) => void page.route(`**${ann}/token*`, resolve))
    await dashboard.button('View as ann').click()
    const late = await asked
    await dashboard.goTo('#/data/Todo')
    await dashboard.button('New object').waitFor()
    await dashboard.goTo('#/users')
    await dashboard.button('View as bob').click()
    await page.getByText('You see the data as bob does').waitFor()

    const connected = page.waitForResponse('**/v1/connect')
    await late.continue()
    await (await connected).finished()
    await dashboard.goTo('#/data/Todo/shown')
    await page.getByLabel('JSON').waitFor()

    assert.equal(await page.getByText('You see the data as bob does').count(), 1)
    assert.equal(await page.getByText('You see the data as ann does').count(), 0)
    await dashboard.close()
  })

  test('view_reloaded_isTheAdminsOwn', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/users' })
    await dashboard.button('View as ann').click()
    await dashboard.page.getByText('You see the data as ann does').waitFor()

    await dashboard.page.reload()

    await dashboard.button('New object').waitFor()
    assert.equal(await dashboard.page.getByText('You see the data as').count(), 0)
    await dashboard.close()
  })

  for (const mode of Object.keys(MODES)) {
    test(`tokens_${mode}_areUsableByEverybody`, async () => {
      const dashboard = await Dashboard.enter(browser, server, { mode, at: '#/users' })
      await dashboard.button('Tokens of ann').click()
      await dashboard.button('Make a token').click()
      await dashboard.page.locator('figure pre').waitFor()
      await dashboard.assertAccessible('token')
      const isCut = await dashboard.page.locator('dialog').evaluate((it) => it.scrollWidth > it.clientWidth)
      assert.equal(isCut, false)
      await dashboard.button('Close').click()
      await dashboard.button('View as ann').click()
      await dashboard.page.getByText('You see the data as ann does').waitFor()
      await dashboard.untilTexts('new', 'public')
      await dashboard.assertAccessible('view as')
      const width = await dashboard.page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= MODES[mode].viewport.width)
      dashboard.assertQuiet()
      await dashboard.close()
    })
  }
})
