import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { complaints, launch } from '../src/browser.js'
import { Dashboard, MODES, PASSWORD, assertPageAccessible } from '../src/dashboard.js'
import { Mongod } from '../src/mongod.js'
import { Server, dataFolder } from '../src/server.js'

const ANSWERS = /^Objects are kept by MongoDB 6\.0\.\d+, replica set\.$/

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

  /** Asserts accessibility for all window sizes and colour schemes. */
  async function assertAccessible(page, where) {
    for (const [name, { viewport, colorScheme }] of Object.entries(MODES)) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await assertPageAccessible(page, `${where}, ${name}`)
    }
  }

  async function setPassword(page, password, repeated = password) {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('The same again').fill(repeated)
    await page.getByRole('button', { name: 'Set password' }).click()
  }

  function logIn(password) {
    return server.call('POST', '/db/User/login', { username: 'root', password })
  }

  test('root_withoutDemo_leadsToTheDashboard', async () => {
    const { page, found } = await open(`${server.base}/`)

    await page.getByRole('heading', { name: 'Log in' }).waitFor()

    assert.equal(new URL(page.url()).pathname, '/dashboard/')
    assert.equal(await page.getByLabel('The same again').count(), 0)
    assert.deepEqual(found, [])
  })

  test('setupLink_usedTwice_worksOnce', async () => {
    const first = await open(server.setupLink)
    const second = await open(server.setupLink)

    await first.page.getByLabel('The same again').waitFor()
    await assertAccessible(first.page, 'set-up')
    await setPassword(first.page, PASSWORD, 'something else')
    await first.page.getByText('The two passwords differ.').waitFor()
    assert.equal((await logIn(PASSWORD)).status, 460)
    await setPassword(first.page, PASSWORD)
    await first.page.getByRole('heading', { name: 'Your first class' }).waitFor()
    await setPassword(second.page, 'of a late visitor')
    await second.page.getByText('This link was used already').waitFor()

    assert.ok(!first.page.url().includes('setup'), 'the token is removed from the address')
    assert.equal((await logIn('of a late visitor')).status, 460)
    const login = await logIn(PASSWORD)
    assert.equal(login.status, 200)
    assert.ok(login.headers.get('baqend-authorization-token'))
    assert.deepEqual(first.found, [])

    await assertAccessible(first.page, 'first class')
    // two clicks to the first class
    await first.page.getByRole('button', { name: 'Start with sample data' }).click()
    await first.page.getByText('Everybody may read and write').waitFor()
    await assertAccessible(first.page, 'samples')
    await first.page.getByRole('button', { name: 'A to-do list' }).click()
    await first.page.getByText('8 objects', { exact: true }).waitFor()
    await first.page.getByRole('gridcell', { name: 'Buy milk' }).waitFor()
    assert.equal((await server.call('GET', '/db/Todo/milk')).body.text, 'Buy milk')
    assert.deepEqual(first.found, [])
  })
})

describe('dashboard of a server on MongoDB', () => {
  let data, mongod, server, browser

  before(async () => {
    data = await dataFolder()
    mongod = await Mongod.start()
    server = await Server.start(data.path, {
      flags: ['--mongo', mongod.address, '--root-password', PASSWORD],
    })
    browser = await launch()
  })

  after(async () => {
    mongod?.goOn()
    await browser?.close()
    await server?.stop()
    await mongod?.stop()
    await data?.remove()
  })

  test('storage_lacksACapability_namesItAndItsConsequences', async () => {
    const { page } = await Dashboard.enter(browser, server, { at: '#/health' })

    await page.getByText(ANSWERS).waitFor()
    const missing = await page.locator('#missing-list li').allTextContents()

    const { body } = await server.call('GET', '/status')
    assert.deepEqual(missing, body.store.missing)
    assert.match(missing.join(), /^\$currentOp or killSessions: /)
  })

  test('storage_doesNotAnswer_isReportedUntilItDoes', async () => {
    const { page } = await Dashboard.enter(browser, server, { at: '#/health' })

    await page.getByText(ANSWERS).waitFor()
    mongod.stand()
    await page.getByText('which does not answer at the moment').waitFor({ timeout: 60_000 })
    await page.getByText(/^Orestes .*, not ready for requests$/).waitFor()
    mongod.goOn()
    await page.getByText(ANSWERS).waitFor()
  })
})
