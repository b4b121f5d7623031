import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Stage } from '../src/stage.js'

describe('the SDK in a page of another origin', () => {
  let stage
  let page
  let run = 0
  let key

  before(async () => {
    stage = await Stage.set('Item')
  })

  after(() => stage?.clear())

  beforeEach(async () => {
    key = `item${(run += 1)}`
    await stage.write(`/db/Item/${key}`, { name: 'one', group: run })
    const context = await stage.browser.newContext()
    context.setDefaultTimeout(60_000)
    page = await context.newPage()
    await page.goto(`${stage.site.base}/elsewhere`)
    await connect(stage.api.api)
    stage.api.take()
  })

  afterEach(() => page.context().close())

  /** Gives the page `db` and `items` for a test's scripts. */
  function connect(url, options = {}) {
    return page.evaluate(
      async ([url, options]) => {
        const sdk = await import('/sdk/index.js')
        const tokens = sdk.webTokens()
        window.db = await sdk.connect(url, { ...options, tokens })
        window.items = window.db.bucket('Item')
      },
      [url, options],
    )
  }

  function load(options = {}) {
    return page.evaluate(
      async ([key, options]) => {
        const { data, source, age, bound } = await window.items.load(key, options)
        return { name: data.name, source, age, bound }
      },
      [key, options],
    )
  }

  const query = (group) =>
    page.evaluate(async (group) => {
      const { data, source } = await window.items.find({ group }).list()
      return { names: data.map(({ name }) => name), source }
    }, group)

  test('reads again from the browser’s cache, and reports that', async () => {
    const first = [await load(), await query(run)]
    stage.api.take()
    const second = [await load(), await query(run)]

    assert.ok(first.every(({ source }) => source !== 'local'))
    assert.deepEqual(
      second.map(({ source }) => source),
      ['local', 'local'],
    )
    assert.deepEqual(stage.api.take(), [])
    assert.ok(second[0].bound <= second[0].age && second[0].age < 60)
  })

  test('sees writes of others on demand', async () => {
    await load()
    await stage.write(`/db/Item/${key}`, { name: 'two', group: run })

    const fresh = await load({ consistency: 'fresh' })
    await page.evaluate(() => window.db.refresh())

    assert.deepEqual([fresh.name, fresh.bound], ['two', 0])
    assert.equal((await load()).name, 'two')
  })

  test('sees its own writes, in objects and in queries', async () => {
    await load()
    await query(run)
    await page.evaluate((key) => window.items.update(key, (change) => change.set('name', 'mine')), key)

    assert.equal((await load({ consistency: 'any' })).name, 'mine')
    assert.deepEqual((await query(run)).names, ['mine'])
  })

  test('follows live queries over a socket, and begins a transaction', async () => {
    await connect(`${stage.server.base}/v1`)
    await page.evaluate((group) => {
      window.lists = []
      window.items
        .find({ group })
        .live()
        .subscribe(({ data }) => window.lists.push(data.map(({ name }) => name)))
    }, run)
    await page.waitForFunction(() => window.lists.length === 1)

    await page.evaluate(
      (key) =>
        window.db.transaction(async (tx) => {
          const { data: item } = await tx.bucket('Item').load(key)
          tx.bucket('Item').replace({ ...item, name: `${item.name} and two` })
        }),
      key,
    )
    await page.waitForFunction(() => window.lists.length === 2)

    assert.deepEqual(await page.evaluate(() => window.lists), [['one'], ['one and two']])
  })

  test('shares a session with other tabs', async () => {
    await page.evaluate((name) => window.db.users.register({ username: name }, 'secret'), key)
    const other = await page.context().newPage()
    await other.goto(`${stage.site.base}/elsewhere`)
    const [first, second] = [page, other]

    page = other
    await connect(stage.api.api)
    const seen = await second.evaluate(() => window.db.users.me.username)
    await first.evaluate(() => window.db.users.logout())
    await second.waitForFunction(() => window.db.users.me === null)

    assert.equal(seen, key)
  })

  test('is imported from the server itself, with nothing to install', async () => {
    const { texts, code } = await page.evaluate(
      async ([base, group]) => {
        const { connect } = await import(`${base}/sdk/index.js`)
        const items = (await connect(base)).bucket('Item')
        const lists = items.find({ group }).live()
        const { data: list } = await new Promise((resolve) => lists.subscribe(resolve))
        const { stores } = await import(`${base}/sdk/svelte.js`)
        return { texts: list.map(({ name }) => name), code: typeof stores }
      },
      [stage.server.base, run],
    )

    assert.deepEqual([texts, code], [['one'], 'function'])
  })
})
