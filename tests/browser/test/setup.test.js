import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { complaints, launch } from '../src/browser.js'
import { Server, dataFolder } from '../src/server.js'

const PASSWORD = 'correct horse battery'

describe('dashboard', () => {
  let data, server, browser

  before(async () => {
    data = await dataFolder()
    server = await Server.start(data.path, { flags: [] })
    browser = await launch()
  })

  after(async () => {
    await browser?.close()
    await server?.stop()
    await data?.remove()
  })

  async function open(url) {
    const page = await browser.newPage()
    const found = complaints(page)
    await page.goto(url)
    return { page, found }
  }

  async function setPassword(page, password, repeated = password) {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('The same again').fill(repeated)
    await page.getByRole('button', { name: 'Set password' }).click()
  }

  function logIn(password) {
    return server.call('POST', '/db/User/login', { username: 'root', password })
  }

  test('dashboard_withoutDemo_saysWhatItWillBe', async () => {
    const { page, found } = await open(`${server.base}/`)

    await page.getByText('It is not built yet').waitFor()
    await page.getByText('./orestes start --demo').waitFor()

    assert.equal(await page.getByRole('link', { name: 'The demo' }).isVisible(), false)
    assert.equal(await page.getByLabel('Password', { exact: true }).isVisible(), false)
    assert.equal(
      (await fetch(await page.getByRole('link', { name: 'The API' }).evaluate((a) => a.href))).status,
      200,
    )
    assert.deepEqual(found, [])
  })

  test('setupLink_usedTwice_worksOnce', async () => {
    const first = await open(server.setupLink)
    const second = await open(server.setupLink)

    await setPassword(first.page, PASSWORD, 'something else')
    await first.page.getByText('The two passwords differ.').waitFor()
    assert.equal((await logIn(PASSWORD)).status, 460)
    await setPassword(first.page, PASSWORD)
    await first.page.getByRole('heading', { name: 'The password is set' }).waitFor()
    await setPassword(second.page, 'of somebody who was late')
    await second.page.getByText('This link was used already').waitFor()

    assert.ok(!first.page.url().includes('setup'), 'the token is gone from the address')
    assert.equal((await logIn('of somebody who was late')).status, 460)
    const login = await logIn(PASSWORD)
    assert.equal(login.status, 200)
    assert.ok(login.headers.get('baqend-authorization-token'))
    assert.deepEqual(first.found, [])
  })
})
