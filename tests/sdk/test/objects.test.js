import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  ConnectionError,
  connect,
  ExistsError,
  NotFoundError,
  OutOfDateError,
} from '../../../js-sdk/dist/index.js'
import { startServer } from '../src/servers.js'

describe('objects', () => {
  let server
  let db
  let todos

  before(async () => {
    server = await startServer()
    db = await connect(server.url)
    todos = db.bucket('Todo')
  })

  after(() => server.stop())

  it('knows the classes of the server', () => {
    assert.equal(db.schema.typeOf('Todo', 'due'), '/db/DateTime')
    assert.equal(db.schema.typeOf('Todo', 'owner.name'), '/db/String')
    assert.equal(db.schema.typeOf('Todo', 'createdAt'), '/db/DateTime')
  })

  it('inserts, loads, replaces and deletes', async () => {
    const inserted = await todos.insert({ id: 'a b/c', text: 'milk', tags: ['shop'] })
    const replaced = await todos.replace({ ...inserted, text: 'tea' })
    const { data } = await todos.load('a b/c')

    assert.equal(inserted.id, '/db/Todo/a%20b%2Fc')
    assert.equal(replaced.version, 2)
    assert.deepEqual([data.text, data.tags, data.version], ['tea', ['shop'], 2])

    await todos.delete(data.id, { ifMatch: 2 })
    await assert.rejects(todos.load('a b/c'), NotFoundError)
  })

  it('refuses writes of changed objects, by version and by entity tag', async () => {
    const first = await todos.insert({ id: 'lock', text: 'one' })
    const { etag } = await todos.load('lock')
    await todos.replace({ ...first, text: 'two' })

    await assert.rejects(todos.replace({ ...first, text: 'three' }), OutOfDateError)
    await assert.rejects(todos.replace({ ...first, text: 'three' }, { ifMatch: etag }), OutOfDateError)
    await assert.rejects(todos.delete('lock', { ifMatch: 1 }), OutOfDateError)
    await assert.rejects(todos.insert({ id: 'lock' }), ExistsError)
    assert.equal((await todos.save({ id: todos.id('lock'), text: 'forced' })).version, 3)
  })

  it('loses no concurrent optimistic update', async () => {
    await todos.insert({ id: 'counter', priority: 0 })
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect(server.url)))

    const increment = (client) =>
      client
        .bucket('Todo')
        .optimisticUpdate('counter', (todo) => ({ ...todo, priority: todo.priority + 1 }), { attempts: 60 })
    await Promise.all(Array.from({ length: 20 }, (_, i) => increment(clients[i % 4])))

    assert.equal((await todos.load('counter', { consistency: 'fresh' })).data.priority, 20)
  })

  it('changes parts of objects', async () => {
    await todos.insert({ id: 'parts', text: 'x', priority: 5, tags: ['b'], counts: { a: 1 }, labels: ['l'] })

    const changed = await todos.update('parts', (change) =>
      change
        .inc('priority', 2)
        .push('tags', 'c')
        .add('labels', 'm')
        .put('counts', { b: 2 })
        .currentDate('due'),
    )
    const again = await todos
      .update('parts', (change) =>
        change
          .unshift('tags', 'a')
          .set('text', null)
          .mul('priority', 2)
          .remove('counts', 'a')
          .replace('labels', 0, 'n'),
      )
      .catch((error) => error)

    assert.deepEqual([changed.priority, changed.tags, changed.counts], [7, ['b', 'c'], { a: 1, b: 2 }])
    assert.ok(Math.abs(Date.parse(changed.due) - Date.now()) < 60_000)
    // a set has no index to replace at: the whole update is refused
    assert.equal(again.code, 'BAD_REQUEST')
    assert.equal((await todos.load('parts')).data.version, 2)
    await assert.rejects(todos.update('parts', { $inc: { priority: 1 } }, { ifMatch: 1 }), OutOfDateError)
  })

  it('does many writes at once and reports the refused ones', async () => {
    await todos.insert({ id: 'bulk-1', text: 'one' })

    const results = await todos.bulk([
      { insert: { id: 'bulk-2', text: 'two' } },
      { insert: { text: 'three' } },
      { update: (change) => change.set('text', 'uno'), id: 'bulk-1' },
      { insert: { id: 'bulk-1' } },
      { delete: 'bulk-2', ifMatch: 1 },
    ])

    assert.deepEqual(
      results.map(({ version }) => version),
      [1, 1, 2, undefined, undefined],
    )
    assert.ok(results[3].error instanceof ExistsError)
    assert.equal(results[4].error, undefined)
    assert.equal((await todos.load('bulk-1')).data.text, 'uno')
    assert.equal((await todos.load(results[1].id)).data.text, 'three')
  })

  it('follows references, and replaces them by objects', async () => {
    const ann = await db.bucket('Owner').insert({ name: 'ann' })
    await todos.insert({ id: 'owned', owner: ann.id })

    const { data: todo } = await todos.load('owned')
    const { data: owner } = await db.load(todo.owner)
    const { data: deep } = await todos.load('owned', { depth: 1 })

    assert.equal(owner.name, 'ann')
    assert.equal(deep.owner.name, 'ann')
  })

  it('ends a request by its signal, with the reason', async () => {
    const reason = new Error('enough')

    await assert.rejects(todos.load('parts', { signal: AbortSignal.abort(reason) }), reason)
    const aborter = new AbortController()
    const load = todos.load('parts', { signal: aborter.signal, consistency: 'fresh' })
    aborter.abort(reason)
    await assert.rejects(load, reason)
  })

  it('distinguishes a server that does not answer from one that refuses', async () => {
    await assert.rejects(connect('http://127.0.0.1:1'), ConnectionError)
    await assert.rejects(db.bucket('Nothing').load('x'), { code: 'BUCKET_NOT_FOUND', status: 461 })
    await assert.rejects(todos.insert({ text: 5 }), { code: 'INVALID_TYPE_VALUE' })
  })
})
