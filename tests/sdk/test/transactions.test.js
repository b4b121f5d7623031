import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { cachingFetch } from '../../../js-sdk/dist/cache.js'
import { ConflictError, connect } from '../../../js-sdk/dist/index.js'
import { startServer } from '../src/servers.js'

describe('transactions', () => {
  let server

  before(async () => {
    server = await startServer()
  })

  after(() => server.stop())

  const cached = () => connect(server.url, { fetch: cachingFetch() })

  it('do all writes or none', async () => {
    const db = await cached()
    const todos = db.bucket('Todo')
    await todos.insert({ id: 'one', priority: 1 })
    await todos.insert({ id: 'two', priority: 2 })

    await db.transaction(async (tx) => {
      const { data: one } = await tx.bucket('Todo').load('one')
      tx.bucket('Todo').replace({ ...one, priority: 10 })
      tx.bucket('Todo').update('two', (change) => change.inc('priority', 5))
      tx.bucket('Todo').insert({ id: 'three', priority: one.priority })
    })
    const failed = db.transaction(async (tx) => {
      await tx.bucket('Todo').delete('one')
      tx.bucket('Todo').insert({ id: 'three' })
    })

    await assert.rejects(failed, { code: 'OBJECT_EXISTS' })
    const all = await todos.find().ascending('id').list()
    assert.deepEqual(
      all.data.map(({ priority }) => priority),
      [10, 1, 7],
    )
  })

  it('preserve the sum of concurrent transfers', { timeout: 120_000 }, async () => {
    const clients = await Promise.all([cached(), cached(), cached(), cached()])
    const keys = ['x', 'y', 'z']
    await clients[0].bucket('Todo').bulk(keys.map((id) => ({ insert: { id, priority: 100 } })))
    let conflicts = 0

    const move = (client, from, to) =>
      client.transaction(
        async (tx) => {
          const todos = tx.bucket('Todo')
          const [{ data: source }, { data: target }] = [await todos.load(from), await todos.load(to)]
          todos.replace({ ...source, priority: source.priority - 1 })
          todos.replace({ ...target, priority: target.priority + 1 })
        },
        { attempts: 100, onConflict: () => (conflicts += 1) },
      )
    const moves = clients.map(async (client, i) => {
      for (let n = 0; n < 10; n++) await move(client, keys[(i + n) % 3], keys[(i + n + 1 + (n % 2)) % 3])
    })
    await Promise.all(moves)

    const { data } = await clients[1]
      .bucket('Todo')
      .find({})
      .in(
        'id',
        keys.map((key) => `/db/Todo/${key}`),
      )
      .list()
    assert.equal(
      data.reduce((sum, { priority }) => sum + priority, 0),
      300,
    )
    assert.equal(
      data.reduce((sum, { version }) => sum + version, 0),
      3 + 2 * 40,
    )
    assert.ok(conflicts > 0, 'there were conflicts')
  })

  it('read from caches, and repeat stale reads', async () => {
    const [reader, writer] = [await cached(), await cached()]
    await writer.bucket('Todo').insert({ id: 'old', priority: 1 })
    await reader.bucket('Todo').load('old')
    const seen = []
    let conflict

    await reader.transaction(
      async (tx) => {
        const { data, source } = await tx.bucket('Todo').load('old')
        seen.push([data.priority, source])
        // another write changes the object after the first attempt's read
        if (seen.length === 1) await writer.bucket('Todo').update('old', { $set: { priority: 2 } })
      },
      { onConflict: (told) => (conflict = told) },
    )

    assert.deepEqual(
      seen.map(([priority]) => priority),
      [1, 2],
    )
    assert.equal(seen[0][1], 'local')
    assert.ok(conflict instanceof ConflictError)
    assert.deepEqual(conflict.stale, ['/db/Todo/old'])
  })
})
