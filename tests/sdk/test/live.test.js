import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../../js-sdk/dist/index.js'
import { Relay } from '../../client/src/relay.js'
import { ROOT_PASSWORD } from '../../client/src/server.js'
import { startServer } from '../src/servers.js'

/** Waits until a condition holds, or fails with the last state. */
async function until(look, expected) {
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      return assert.deepEqual(await look(), expected)
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(20)
    }
  }
}

/** Returns the newest list of a live query, each object by its text. */
function listen(live) {
  const heard = { lists: [], connections: [], stop: undefined }
  heard.stop = live.subscribe({
    next: ({ data }) => heard.lists.push(data),
    connection: (isConnected) => heard.connections.push(isConnected),
    error: (error) => heard.lists.push(error),
  })
  return { ...heard, texts: () => heard.lists.at(-1)?.map?.(({ text }) => text) ?? heard.lists.at(-1) }
}

describe('live queries', () => {
  let server
  let relay
  let run = 0

  before(async () => {
    assert.equal(typeof WebSocket, 'function', 'run Node with --experimental-websocket')
    // nothing that is counted is for caches, nor for clients that may reconnect
    server = await startServer('--query.max-cached', '0', '--live.resume-window', '2s')
    relay = await Relay.to(server.url)
  })

  after(async () => {
    await relay.close()
    await server.stop()
  })

  /** Returns the number of queries that the server has matched with writes. */
  async function followed() {
    const root = await connect(server.url)
    await root.users.login('root', ROOT_PASSWORD)
    const metrics = await server.fetch('/-/metrics', {
      headers: { Authorization: `BAT ${root.users.token}` },
    })
    return Number(/^orestes_realtime_queries(?:{[^}]*})? (\S+)/m.exec(await metrics.text())?.[1])
  }

  /** Fails a client that uses streams although it has a socket. */
  const withoutStreams = (url, init) => {
    if (String(url).includes('/events?')) throw new Error('a stream')
    return fetch(url, init)
  }

  for (const [name, options] of Object.entries({
    'a socket': { fetch: withoutStreams },
    streams: { WebSocket: null },
  })) {
    describe(`over ${name}`, () => {
      let todos
      let writer
      let owner

      beforeEach(async () => {
        todos = (await connect(relay.url, options)).bucket('Todo')
        writer = (await connect(server.url)).bucket('Todo')
        owner = `/db/Owner/${(run += 1)}`
      })

      const insert = (text, priority = 0) => writer.insert({ text, priority, owner })

      it('begin with the result, and follow every change', async () => {
        const a = await insert('a')
        const { texts, stop } = listen(todos.find({ owner }).ascending('text').live())
        await until(texts, ['a'])

        await insert('c')
        const b = await insert('b')
        await until(texts, ['a', 'b', 'c'])
        await writer.update(a.id, { $set: { text: 'd' } })
        await until(texts, ['b', 'c', 'd'])
        await writer.delete(b.id)
        await until(texts, ['c', 'd'])
        stop()
        await insert('e')
        await sleep(200)
        assert.deepEqual(texts(), ['c', 'd'])
      })

      it('maintain windows of sorted objects', async () => {
        for (const text of ['a', 'b', 'c', 'd', 'e']) await insert(text)
        const query = todos.find({ owner }).descending('text').offset(1).limit(2)
        const { texts, stop } = listen(query.live())

        await until(texts, ['d', 'c'])
        await insert('f')
        await until(texts, ['e', 'd'])
        await writer.optimisticUpdate((await todos.find({ owner, text: 'e' }).first()).data.id, (todo) => ({
          ...todo,
          text: 'A',
        }))
        await until(texts, ['d', 'c'])
        assert.deepEqual(
          (await query.list()).data.map(({ text }) => text),
          texts(),
        )
        stop()
      })

      it('send events', async () => {
        const a = await insert('a')
        const events = []
        const stop = todos
          .find({ owner })
          .liveEvents()
          .subscribe(({ matchType, operation, data }) => events.push([matchType, operation, data.text]))
        await until(() => events.length, 1)

        await writer.update(a.id, { $inc: { priority: 1 } })
        await until(() => events.length, 2)
        await writer.delete(a.id)
        await until(
          () => events,
          [
            ['add', 'none', 'a'],
            ['change', 'update', 'a'],
            ['remove', 'delete', undefined],
          ],
        )
        stop()
      })

      it('compute aggregates', async () => {
        await insert('a', 1)
        await insert('b', 2)
        const query = todos.find({ owner })
        const aggregate = { _id: '$text', n: { $sum: '$priority' } }
        const rows = []
        const stop = query.liveAggregate(aggregate).subscribe(({ data }) => rows.push(data))
        await until(
          () => rows.at(-1),
          [
            { _id: 'a', n: 1 },
            { _id: 'b', n: 2 },
          ],
        )

        const other = await insert('a', 5)
        await until(() => rows.at(-1)[0], { _id: 'a', n: 6 })
        await writer.delete(other.id)
        await until(async () => rows.at(-1), (await query.aggregate(aggregate)).data)
        stop()
      })

      it('lose nothing when the connection is cut while others write', async () => {
        const { texts, connections, stop } = listen(todos.find({ owner }).ascending('text').live())
        const events = new Map()
        const end = todos
          .find({ owner })
          .liveEvents()
          .subscribe(({ matchType, data }) => {
            if (matchType === 'remove') events.delete(data.id)
            else events.set(data.id, data.text)
          })
        await until(texts, [])

        const written = []
        for (let i = 0; i < 30; i++) {
          const { id, text } = await insert(`t${String(i).padStart(2, '0')}`)
          if (i % 10 === 5) relay.cut()
          if (i % 3 === 0) await writer.delete(id)
          else written.push(text)
          await sleep(20)
        }

        await until(texts, written)
        await until(() => [...events.values()].sort(), written)
        assert.ok(connections.includes(false), 'the connection was never lost')
        stop()
        end()
      })

      it('show readable objects to a logged-in user, and to no other', async () => {
        const db = await connect(relay.url, options)
        const me = await db.users.register({ username: `${name} ${run}` }, 'secret')
        const mine = listen(db.bucket('Todo').find({ owner }).live())
        const others = listen(todos.find({ owner }).live())
        await until(mine.texts, [])
        await until(others.texts, [])

        const only = { [me.id]: 'allow' }
        await db.bucket('Todo').insert({ text: 'secret', owner, acl: { read: only, write: only } })
        await insert('public')

        await until(() => mine.texts().toSorted(), ['public', 'secret'])
        await until(others.texts, ['public'])
        mine.stop()
        others.stop()
      })

      it('end when the server refuses them', async () => {
        const { texts } = listen(todos.find({ $where: 'true' }).live())

        await until(() => texts()?.code, 'QUERY_NOT_SUPPORTED')
      })

      it('free the server when they have no subscriber any more', async () => {
        await until(followed, 0)
        const stops = [0, 1, 2].map((priority) => listen(todos.find({ owner, priority }).live()).stop)
        await until(followed, 3)

        stops.slice(1).forEach((stop) => stop())
        await until(followed, 1)
        for await (const result of todos.find({ owner }).live()) {
          assert.deepEqual(result, { data: [], source: 'live', age: 0, bound: 0 })
          break
        }
        stops[0]()
        await until(followed, 0)
      })
    })
  }
})
