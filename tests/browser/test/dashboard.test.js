import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard, PASSWORD } from '../src/dashboard.js'
import { ownedServer } from '../src/owned.js'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Requests of the dashboard that are for admins only. */
const ADMIN_REQUESTS = [
  ['DELETE', '/schema/Todo'],
  ['PUT', '/schema', []],
  ['GET', '/-/migrations'],
  ['GET', '/-/metrics'],
  ['GET', '/-/live-queries'],
  ['DELETE', '/-/live-queries/0123456789abcdef'],
  ['GET', '/-/caching'],
  ['DELETE', '/-/caching'],
  ['GET', '/-/caching/entry?url=/v1/db/Todo/milk'],
  ['DELETE', '/-/caching/entry?url=/v1/db/Todo/milk'],
  ['DELETE', '/db/Todo'],
  ['GET', '/db/Todo'],
  ['PUT', '/db/Todo', []],
  ['GET', '/-/explain?operation=load&ref=/db/Todo'],
  ['GET', '/-/settings'],
  ['GET', '/-/logs'],
  ['POST', '/db/User/1/token'],
  ['POST', '/db/User/1/token?lifetime=60'],
  ['DELETE', '/db/User/1/token'],
  ['POST', '/index/Todo', { keys: [{ text: 'asc' }] }],
  ['DELETE', '/index/Todo'],
]

/** A promise that the test resolves. */
function deferred() {
  let resolve
  const promise = new Promise((done) => (resolve = done))
  return { promise, resolve }
}

describe('dashboard', () => {
  let parts, server, browser, root

  before(async () => {
    parts = await ownedServer({
      Todo: { text: 'String', done: 'Boolean', next: 'Todo', tags: 'collection.List[/db/String]' },
    })
    ;({ server, browser, root } = parts)
    const milk = { id: '/db/Todo/milk', text: 'buy milk', done: false, tags: ['shop'] }
    await server.call('POST', '/db/Todo', milk, root)
    await server.call('POST', '/db/Todo', { id: '/db/Todo/tea', text: 'make tea', next: milk.id }, root)
  })

  after(() => parts?.clear())

  test('files_requested_haveThePolicy', async () => {
    const dashboard = await Dashboard.open(browser, server)
    await dashboard.heading('Log in').waitFor()
    const files = dashboard.asked.filter((url) => url.includes('/dashboard/'))

    assert.ok(files.some((url) => url.endsWith('.js')) && files.some((url) => url.endsWith('.css')))
    for (const url of files) {
      const { headers } = await fetch(url)
      assert.equal(headers.get('content-security-policy'), POLICY)
    }
    await dashboard.close()
  })

  test('logIn_withAWrongPassword_reportsIt', async () => {
    const dashboard = await Dashboard.open(browser, server)

    await dashboard.logIn('root', 'something else')

    await dashboard.page.getByText('Name or password is wrong.').waitFor()
    await dashboard.close()
  })

  test('session_inAnotherWindow_isTheSame', async () => {
    const dashboard = await Dashboard.enter(browser, server)
    const other = await dashboard.page.context().newPage()
    await other.goto(`${server.base}/dashboard/#/health`)
    await other.getByRole('heading', { name: 'Health' }).waitFor()

    await dashboard.button('Log out').click()

    await dashboard.heading('Log in').waitFor()
    await other.getByRole('heading', { name: 'Log in' }).waitFor()
    await dashboard.close()
  })

  test('server_stopped_isReportedAndRetried', async () => {
    const dashboard = await Dashboard.open(browser, server)
    await dashboard.page.route('**/v1/connect', (route) => route.abort())
    await dashboard.page.reload()
    await dashboard.page.getByText('The server does not answer').waitFor()
    await dashboard.page.unroute('**/v1/connect')

    await dashboard.button('Try again').click()

    await dashboard.heading('Log in').waitFor()
    await dashboard.close()
  })

  test('pageWithoutItsCode_reportsIt_andTheOthersWork', async () => {
    const dashboard = await Dashboard.open(browser, server, { at: '#/schema' })
    await dashboard.page.route('**/assets/SettingsPage-*.js', (route) => route.abort())
    await dashboard.logIn('root', PASSWORD)
    await dashboard.heading('Schema').waitFor()

    await dashboard.goTo('#/settings')

    await dashboard.page.getByRole('alert').filter({ hasText: 'Reload the page' }).waitFor()
    await dashboard.goTo('#/health')
    await dashboard.heading('Health').waitFor()
    await dashboard.close()
  })

  test('table_ofManyObjects_showsRowsBeforeTheyAreCounted', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/schema' })
    const counting = deferred()
    await dashboard.page.route('**/v1/db/Todo/count*', async (route) => {
      await counting.promise
      await route.continue()
    })

    await dashboard.goTo('#/data/Todo')

    await dashboard.page.getByText('buy milk').waitFor()
    await dashboard.page.getByText('Counting …').waitFor()
    counting.resolve()
    await dashboard.page.getByText('2 objects').waitFor()
    await dashboard.close()
  })

  test('user_whoIsNoAdmin_seesAndDoesNothing', async () => {
    const { body: ann } = await server.call('POST', '/db/User/register', {
      user: { username: 'ann' },
      password: 'ann’s secret',
    })
    await server.call('POST', '/db/Role', { id: '/db/Role/fake', name: 'admin', users: [ann.id] }, root)
    const dashboard = await Dashboard.open(browser, server, { at: '#/data/Todo' })
    await dashboard.logIn('ann', 'ann’s secret')
    await dashboard.heading('This is for admins').waitFor()
    for (const hash of [
      '#/schema/Todo',
      '#/health',
      '#/live',
      '#/caching',
      '#/data/Todo/milk',
      '#/explain/Todo/milk',
      '#/settings',
      '#/logs',
      '#/users',
      '#/api',
    ]) {
      await dashboard.page.goto(`${server.base}/dashboard/${hash}`)
      await dashboard.page.reload()
      await dashboard.heading('This is for admins').waitFor()
    }

    const text = await dashboard.page.locator('body').innerText()
    assert.doesNotMatch(text, /Todo|milk|AppLog/)
    assert.equal(await dashboard.page.getByRole('navigation').count(), 0)
    const asked = dashboard.asked
      .map((url) => new URL(url).pathname)
      .filter((path) => path.startsWith('/v1/'))
    assert.deepEqual([...new Set(asked)].sort(), ['/v1/connect', '/v1/db/Role/query', '/v1/db/User/login'])
    const token = await dashboard.page.evaluate(() => localStorage.getItem('orestes-dashboard-token'))
    assert.ok(token)
    const herself = { Authorization: `BAT ${token}` }
    for (const [method, path, body] of [
      ...ADMIN_REQUESTS,
      ['POST', '/db/Role/1', { $add: { users: ann.id } }],
    ]) {
      const { status } = await server.call(method, path, body, herself)
      assert.equal(status, 466, `${method} ${path}`)
    }
    await dashboard.assertAccessible('refused')
    await dashboard.button('Log out').click()
    await dashboard.heading('Log in').waitFor()
    await dashboard.close()
  })

  test('caller_whoIsNotLoggedIn_seesAndDoesNothing', async () => {
    const dashboard = await Dashboard.open(browser, server)
    for (const hash of ['#/data/Todo', '#/data/Todo/milk', '#/schema/Todo', '#/users', '#/api', '#/logs']) {
      await dashboard.page.goto(`${server.base}/dashboard/${hash}`)
      await dashboard.page.reload()
      await dashboard.heading('Log in').waitFor()
    }

    assert.doesNotMatch(await dashboard.page.locator('body').innerText(), /Todo|milk|AppLog/)
    const asked = dashboard.asked
      .map((url) => new URL(url).pathname)
      .filter((path) => path.startsWith('/v1/'))
    assert.deepEqual([...new Set(asked)], ['/v1/connect'])
    for (const [method, path, body] of ADMIN_REQUESTS) {
      const { status } = await server.call(method, path, body)
      assert.equal(status, 466, `${method} ${path}`)
    }
    await dashboard.close()
  })

  test('user_addedToARole_isAMemberAndCanBeRemoved', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/users' })
    const { page } = dashboard
    const logIn = async () =>
      (await server.call('POST', '/db/User/login', { username: 'bob', password: 'bob’s secret' })).status
    await page.getByLabel('New user').fill('bob')
    await page.getByLabel('Password').fill('bob’s secret')
    await dashboard.button('Add user').click()
    await page.getByRole('link', { name: 'bob', exact: true }).waitFor()
    await page.getByLabel('New role').fill('editor')
    await dashboard.button('Add role').click()
    await dashboard.button('Members of editor').click()
    await page.getByText('Nobody is a member.').waitFor()
    await page.getByRole('dialog').getByLabel('Find a user').fill('bo')
    await dashboard.button('Add bob to editor').click()
    await dashboard.button('Remove bob from editor').waitFor()
    await dashboard.button('Close').click()

    const { body: roles } = await server.call('GET', '/db/Role/query?q=%7B%22name%22%3A%22editor%22%7D')
    const { body: bob } = await server.call(
      'GET',
      `/db/User/query?q=%7B%22username%22%3A%22bob%22%7D`,
      undefined,
      root,
    )
    assert.deepEqual(roles[0].users, [bob[0].id])
    assert.deepEqual(roles[0].acl.write, { '/db/Role/1': 'allow' })
    assert.equal(await logIn(), 200)
    await dashboard.button('Deactivate bob').click()
    assert.equal(await logIn(), 200)
    await dashboard.button('Deactivate').click()
    await dashboard.button('Activate bob').waitFor()
    assert.notEqual(await logIn(), 200)
    await dashboard.button('Members of editor').click()
    await dashboard.button('Remove bob from editor').click()
    // the update that is pushed arrives before the answer
    await page.route('**/v1/db/Role/**', async (route) => {
      const response = await route.fetch()
      await page.getByText('Nobody is a member.').waitFor()
      await route.fulfill({ response })
    })
    await dashboard.button('Remove').click()
    await page.getByText('Nobody is a member.').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('type') === 'search')
    await page.unroute('**/v1/db/Role/**')
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('lastAdmin_cannotBeRemoved', async () => {
    const dashboard = await Dashboard.enter(browser, server, { at: '#/users' })

    await dashboard.button('Deactivate root').click()
    await dashboard.button('Deactivate').click()

    await dashboard.page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    await dashboard.button('Cancel').click()
    await dashboard.button('Deactivate root').waitFor()
    await dashboard.close()
  })
})
