import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard, MODES, PASSWORD } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'

/** Number of users that a live query of the server returns; there are more. */
const WINDOW = 40
const USERS = 100
/** Number of members of a role. */
const CROWD = 20_000

describe('dashboard, users', () => {
  let parts, server, browser, root

  before(async () => {
    parts = await ownedServer({}, ['--live.max-window', `${WINDOW}`, '--rate-limit', 'off'])
    ;({ server, browser, root } = parts)
    const names = Array.from({ length: USERS }, (_, i) => nameOf(i))
    const answers = await Promise.all(names.map((username) => register(username)))
    answers.forEach(({ status }) => assert.ok(status < 300, `${status}`))
  })

  after(() => parts?.clear())

  /** Creates a role with many members, of whom the first are users and the others are deleted. */
  async function crowd() {
    const { body } = await server.call('GET', '/db/User/query?sort=%7B%22username%22%3A1%7D', undefined, root)
    const users = body.slice(0, 3).map(({ id }) => id)
    const others = Array.from({ length: CROWD - users.length }, (_, i) => `/db/User/gone-${i}`)
    const role = { id: '/db/Role/crowd', name: 'crowd', users: [...users, ...others] }
    // an import, as a body with one object is bounded
    const { body: refused } = await server.call('PUT', '/db/Role', [role], root)
    assert.deepEqual(refused, [])
  }

  const register = (username) =>
    server.call('POST', '/db/User/register', { user: { username }, password: 'a secret' }, root)

  const open = (mode = 'light') => Dashboard.enter(browser, server, { mode, at: '#/users' })

  const link = (dashboard, name) => dashboard.page.getByRole('link', { name, exact: true })

  const rows = (dashboard) => dashboard.page.getByRole('region', { name: 'Users, one by one' })

  const scrollToEnd = (dashboard) => rows(dashboard).evaluate((it) => it.scrollTo(0, it.scrollHeight))

  test('users_outOfSight_areRenderedOnlyWhenScrolledTo', async () => {
    const dashboard = await open()
    await link(dashboard, nameOf(0)).waitFor()

    assert.ok((await rows(dashboard).getByRole('listitem').count()) < WINDOW)
    assert.equal(await link(dashboard, nameOf(WINDOW - 1)).count(), 0)
    await scrollToEnd(dashboard)
    await link(dashboard, nameOf(WINDOW - 1)).waitFor()

    assert.equal(await rows(dashboard).getByRole('listitem').last().getAttribute('aria-setsize'), `${WINDOW}`)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('users_beyondTheLiveOnes_areLoadedPageByPage', async () => {
    const dashboard = await open()
    const more = dashboard.button('Show more users')

    await more.click()
    await more.click()

    await more.waitFor({ state: 'detached' })
    await scrollToEnd(dashboard)
    await link(dashboard, 'root')
      .or(link(dashboard, nameOf(USERS - 1)))
      .first()
      .waitFor()
    assert.equal(
      await rows(dashboard).getByRole('listitem').last().getAttribute('aria-setsize'),
      `${USERS + 1}`,
    )
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('user_foundByPrefix_isShownThoughFarBehind', async () => {
    const dashboard = await open()
    const search = dashboard.page.getByLabel('Find a user')
    await link(dashboard, nameOf(0)).waitFor()

    await search.fill(nameOf(USERS - 1))

    await link(dashboard, nameOf(USERS - 1)).waitFor()
    await link(dashboard, nameOf(0)).waitFor({ state: 'detached' })
    await search.fill('n.body')
    await dashboard.page.getByText('No user’s name begins like that.').waitFor()
    await search.fill('')
    await link(dashboard, nameOf(0)).waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('role_ofVeryManyMembers_showsThoseInSightAndFindsUsersOnTheServer', { timeout: 120_000 }, async () => {
    await crowd()
    const dashboard = await open()
    const { page } = dashboard
    await dashboard.button('Members of crowd').click()
    await dashboard.button(`Remove ${nameOf(0)} from crowd`).waitFor()
    const list = page.getByRole('region', { name: 'Members of crowd, one by one' })
    assert.ok((await list.getByRole('listitem').count()) < WINDOW)
    assert.equal(await list.getByRole('listitem').first().getAttribute('aria-setsize'), `${CROWD}`)

    const search = page.getByRole('dialog').getByLabel('Find a user')
    await search.fill(nameOf(USERS - 1))
    await dashboard.button(`Add ${nameOf(USERS - 1)} to crowd`).click()
    await dashboard.button(`Remove ${nameOf(USERS - 1)} from crowd`).waitFor()
    await search.fill('')
    await page
      .getByText(`${(CROWD + 1).toLocaleString('en')} members`)
      .first()
      .waitFor()
    await dashboard.button(`Remove ${nameOf(1)} from crowd`).click()
    await dashboard.button('Remove').click()
    await dashboard.button(`Remove ${nameOf(1)} from crowd`).waitFor({ state: 'detached' })
    await search.fill('member')
    await dashboard.button(`Add ${nameOf(1)} to crowd`).waitFor()
    await dashboard.button('Show more users').last().click()
    await page
      .getByRole('region', { name: 'Users found, one by one' })
      .locator(`[aria-setsize="${2 * WINDOW}"]`)
      .first()
      .waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('users_thatFailToLoad_areShownAfterARetry', async () => {
    const dashboard = await Dashboard.open(browser, server, { at: '#/users' })
    const message = 'not now'
    await dashboard.page.route('**/v1/-/settings', (route) =>
      route.fulfill({ status: 503, json: { status: 503, reason: 'Unavailable', message } }),
    )
    await dashboard.logIn('root', PASSWORD)
    await dashboard.page.getByRole('alert').getByText(message).waitFor()

    await dashboard.page.unroute('**/v1/-/settings')
    await dashboard.button('Try again').click()

    await link(dashboard, nameOf(0)).waitFor()
    dashboard.expectComplaints(/503/)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  for (const mode of Object.keys(MODES)) {
    test(`users_${mode}_areUsableByEverybody`, async () => {
      const dashboard = await open(mode)
      await link(dashboard, nameOf(0)).waitFor()

      await dashboard.assertAccessible(mode)

      dashboard.assertQuiet()
      await dashboard.close()
    })
  }
})

/** Names in the order of their numbers. */
function nameOf(number) {
  return `member${String(number).padStart(3, '0')}`
}
