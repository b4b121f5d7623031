import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Stage } from '../src/stage.js'

const COUNT = 6

describe('the reference client in a browser, on another origin than the API', () => {
  let stage, api, context, page
  let run = 0
  let ids

  before(async () => {
    stage = await Stage.set('Item')
    api = stage.api
  })

  after(() => stage?.clear())

  beforeEach(async () => {
    run++
    ids = Array.from({ length: COUNT }, (_, i) => `/db/Item/${run}-${i}`)
    for (const id of ids) await write(id, 'old')
    context = await stage.browser.newContext()
    context.setDefaultTimeout(60_000)
    page = await context.newPage()
    await open()
  })

  afterEach(() => context.close())

  async function open() {
    await page.goto(`${stage.site.base}/reference?api=${encodeURIComponent(api.api)}`)
    await page.waitForFunction(() => window.ready)
    api.take()
  }

  function write(id, name) {
    return stage.write(id, { name, group: run })
  }

  function load() {
    return page.evaluate(async (all) => {
      const loaded = []
      for (const id of all) loaded.push(await window.load(id))
      return loaded
    }, ids)
  }

  /** The requests for data, without the client's handshake. */
  function reads() {
    return api.take().filter((line) => / \/db\//.test(line))
  }

  test('loads_ofWhatIsFresh_sendNothing', async () => {
    await load()
    assert.deepEqual(reads(), ids.map((id) => `GET ${id} 200`).sort())

    await load()

    assert.deepEqual(reads(), [])
  })

  test('loads_afterAWriteOfAnother_revalidateExactlyWhatIsStale', async () => {
    await load()
    await write(ids[2], 'new')
    await page.evaluate(() => window.refresh())
    reads()

    const loaded = await load()

    assert.equal(loaded[2].name, 'new')
    assert.deepEqual(reads(), [`GET ${ids[2]} 200`])
  })

  test('write_ofThePage_isVisibleAtOnce', async () => {
    await load()
    await page.evaluate((id) => window.write(id, 'mine'), ids[3])
    reads()

    const loaded = await load()

    assert.equal(loaded[3].name, 'mine')
    assert.deepEqual(reads(), [`GET ${ids[3]} 200`])
  })

  test('query_isRequestedEachTime_andNew', async () => {
    await page.evaluate((group) => window.query(group), run)
    const first = reads()
    await page.evaluate((group) => window.query(group), run)
    const second = reads()
    await write(ids[4], 'new')

    const result = await page.evaluate((group) => window.query(group), run)

    assert.equal(first.length, 1)
    assert.deepEqual(
      second.map((line) => line.replace(/304$/, '200')),
      first,
    )
    assert.ok(result.some(({ name }) => name === 'new'))
  })

  test('reload_ofThePage_readsFromTheBrowser', async () => {
    await load()

    await open()
    await load()

    assert.deepEqual(reads(), [])
  })

  const PASSWORD = 'a password of theirs'

  test('session_acrossReloads_resumes_andEndsWithLogout', async () => {
    await page.evaluate((password) => window.register('ann', password), PASSWORD)
    await open()
    assert.equal(await page.evaluate(() => window.me()), 'ann')

    await page.evaluate(() => window.logout())
    await open()

    assert.equal(await page.evaluate(() => window.me()), null)
    assert.equal(await page.evaluate(() => window.login('ann', 'wrong')), 460)
    assert.equal(await page.evaluate((password) => window.login('ann', password), PASSWORD), 'ann')
  })

  test('privateObject_isReadByItsUserOnly_alsoFromTheSameBrowser', async () => {
    await page.evaluate((password) => window.register('bob', password), PASSWORD)
    const id = await page.evaluate(() => window.writePrivate('secret'))
    await open()
    assert.equal((await page.evaluate((it) => window.load(it), id)).name, 'secret')

    await page.evaluate(() => window.logout())

    assert.equal(await page.evaluate((it) => window.load(it), id), null)
    await open()
    assert.equal(await page.evaluate((it) => window.load(it), id), null)
  })
})
