import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import { cachingFetch } from '../../../js-sdk/dist/cache.js'
import { connect } from '../../../js-sdk/dist/index.js'
import { startServer } from '../src/servers.js'

describe('a client with a cache', () => {
  let server
  let requests
  let reader
  let writer
  let key = 0

  before(async () => {
    // query results are cached by clients that use the filter
    server = await startServer()
  })

  after(() => server.stop())

  beforeEach(async () => {
    requests = []
    const counted = (url, init) => {
      requests.push(String(url).replace(server.url, ''))
      return fetch(url, init)
    }
    key += 1
    writer = (await connect(server.url)).bucket('Todo')
    await writer.insert({ id: `t${key}`, text: 'one' })
    // a new object is in no filter yet: later changes are
    reader = await connect(server.url, { fetch: cachingFetch({ fetch: counted }) })
    requests.length = 0
  })

  it('reads an object again without a request', async () => {
    const first = await reader.bucket('Todo').load(`t${key}`)
    const second = await reader.bucket('Todo').load(`t${key}`)

    assert.equal(second.data.text, 'one')
    assert.notEqual(first.source, 'local')
    assert.equal(second.source, 'local')
    assert.ok(second.bound <= second.age && second.age < 10)
    assert.equal(requests.length, 1)
  })

  it('reads a query again without a request, and with one after a write of its own', async () => {
    const query = reader.bucket('Todo').find({ text: 'mine' })

    await query.list()
    assert.equal((await query.list()).source, 'local')
    await reader.bucket('Todo').insert({ text: 'mine' })
    const after = await query.list()

    assert.equal(after.data.length, 1)
    assert.notEqual(after.source, 'local')
  })

  it('sees writes of others within its bound, and revalidates only what has changed', async () => {
    const todos = reader.bucket('Todo')
    await writer.insert({ id: `still${key}`, text: 'same' })
    await todos.load(`t${key}`)
    await todos.load(`still${key}`)
    await writer.update(`t${key}`, { $set: { text: 'two' } })

    const within = await todos.load(`t${key}`)
    await reader.refresh()
    requests.length = 0
    const after = await todos.load(`t${key}`)
    const still = await todos.load(`still${key}`)

    assert.equal(within.data.text, 'one')
    assert.equal(after.data.text, 'two')
    assert.equal(still.source, 'local')
    assert.deepEqual(requests, [`/db/Todo/t${key}`])
  })

  it('sees writes of others at once on demand', async () => {
    const todos = reader.bucket('Todo')
    await todos.load(`t${key}`)
    await writer.update(`t${key}`, { $set: { text: 'two' } })

    const { data, bound, source } = await todos.load(`t${key}`, { consistency: 'fresh' })

    assert.deepEqual([data.text, bound], ['two', 0])
    assert.notEqual(source, 'local')
  })

  it('loads the filter over the socket of its live queries', async () => {
    const filters = []
    const counted = (url, init) => {
      if (String(url).includes('/bloomfilter')) filters.push(url)
      return fetch(url, init)
    }
    const db = await connect(server.url, { fetch: cachingFetch({ fetch: counted }) })
    const todos = db.bucket('Todo')
    const told = await new Promise((resolve) => todos.find({ text: 'none' }).live().subscribe(resolve))
    await todos.load(`t${key}`)
    await writer.update(`t${key}`, { $set: { text: 'two' } })

    await db.refresh()
    const after = await todos.load(`t${key}`)
    const again = await todos.load(`t${key}`)
    await db.refresh()
    db.close()

    assert.deepEqual([told.data, told.source], [[], 'live'])
    assert.deepEqual([after.data.text, again.source], ['two', 'local'])
    assert.deepEqual(filters, [])
  })

  it('loads the filter beside a read when it has become too old, and never by itself', async () => {
    const db = await connect(server.url, {
      boundSeconds: 0.3,
      fetch: cachingFetch({
        fetch: (url, init) => {
          requests.push(String(url).replace(server.url, ''))
          return fetch(url, init)
        },
      }),
    })
    const loads = () => requests.filter((path) => path === '/bloomfilter').length
    await db.bucket('Todo').load(`t${key}`)
    const before = loads()
    await sleep(600)
    const asleep = loads() - before
    await db.bucket('Todo').load(`t${key}`)

    assert.equal(asleep, 0)
    assert.equal(loads(), before + 1)
  })

  it('never reads a state before its own writes, whatever its cache has', async () => {
    const todos = reader.bucket('Todo')
    await todos.load(`t${key}`)
    await todos.update(`t${key}`, { $set: { text: 'mine' } })
    await reader.refresh()

    for (const consistency of ['any', 'bounded', 'fresh']) {
      assert.equal((await todos.load(`t${key}`, { consistency })).data.text, 'mine')
    }
  })
})
