import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { launch } from '../src/browser.js'
import { CountingProxy } from '../src/countingProxy.js'
import { Server, dataFolder } from '../src/server.js'
import { Site } from '../src/site.js'

const PASSWORD = 'correct horse battery'
const COUNT = 6

describe('the reference client in a browser, on another origin than the API', () => {
  let data, server, api, site, browser, context, page
  let run = 0
  let ids

  before(async () => {
    data = await dataFolder()
    server = await Server.start(data.path, { flags: ['--root-password', PASSWORD] })
    api = await CountingProxy.start(server.base)
    site = await Site.start()
    browser = await launch()
    const login = await server.call('POST', '/db/User/login', { username: 'root', password: PASSWORD })
    const token = { Authorization: `BAT ${login.headers.get('baqend-authorization-token')}` }
    const fields = {
      name: { name: 'name', type: '/db/String' },
      group: { name: 'group', type: '/db/Integer' },
    }
    assert.equal(
      (await server.call('POST', '/schema/Item', { class: '/db/Item', fields }, token)).status,
      200,
    )
  })

  after(async () => {
    await browser?.close()
    await site?.close()
    await api?.close()
    await server?.stop()
    await data?.remove()
  })

  beforeEach(async () => {
    run++
    ids = Array.from({ length: COUNT }, (_, i) => `/db/Item/${run}-${i}`)
    for (const id of ids) await write(id, 'old')
    context = await browser.newContext()
    page = await context.newPage()
    await open()
  })

  afterEach(() => context.close())

  async function open() {
    await page.goto(`${site.base}/reference?api=${encodeURIComponent(api.api)}`)
    await page.waitForFunction(() => window.ready)
    api.take()
  }

  async function write(id, name) {
    assert.equal((await server.call('PUT', id, { name, group: run })).status, 200)
  }

  function load() {
    return page.evaluate(async (all) => {
      const loaded = []
      for (const id of all) loaded.push(await window.load(id))
      return loaded
    }, ids)
  }

  /** Requests for data; the handshake is the client's own affair. */
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

  test('query_isAskedForEachTime_andNew', async () => {
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
})
