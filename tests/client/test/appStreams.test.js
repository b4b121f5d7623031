import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { STREAMING, connect, connectAsRoot, entityType, registered, withClasses } from '../src/clients.js'
import { LiveResult } from '../src/liveResult.js'
import { Relay } from '../src/relay.js'
import { Server } from '../src/server.js'

const NAME = 'Message'
const SUBSCRIPTIONS = 100

for (const client of STREAMING) {
  describe(`a chat with ${client.name}`, () => {
    let server, relay, writer

    before(async () => {
      server = await Server.start()
      relay = await Relay.to(server.url)
      writer = await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, NAME, { room: String, text: String }),
      ])
    })
    after(async () => {
      await relay.close()
      await server.stop()
    })

    function say(room, text, allow = () => {}) {
      const message = new writer[NAME]({ room, text })
      allow(message.acl)
      return message.insert()
    }

    /** Follows the messages in a room, in order. */
    const listen = (db, room) => new LiveResult(db[NAME].find().equal('room', room).ascending('text'))

    test('one socket carries a hundred subscriptions', async () => {
      const db = await connect(client, server.url)
      const rooms = Array.from({ length: SUBSCRIPTIONS }, (_, i) => listen(db, `many${i}`))
      await Promise.all(rooms.map((room) => room.hears('')))

      await Promise.all([say('many0', 'first'), say('many57', 'middle'), say('many99', 'last')])

      await Promise.all([rooms[0].hears('first'), rooms[57].hears('middle'), rooms[99].hears('last')])
      assert.equal(rooms.filter(({ texts }) => texts === '').length, SUBSCRIPTIONS - 3)
      rooms.forEach((room) => room.stop())
    })

    test('a stream whose connection is lost catches up, again and again', async () => {
      const room = listen(await connect(client, relay.url), 'lost')
      await room.hears('')
      for (const expected of ['a', 'a,b']) {
        relay.cut()
        await say('lost', expected.at(-1))
        await room.hears(expected)
      }

      await say('lost', 'c')

      await room.hears('a,b,c')
      room.stop()
    })

    test('an event stream ends with its connection', async () => {
      const db = await connect(client, relay.url)
      const ended = new Promise((resolve, reject) => {
        const events = db[NAME].find().equal('room', 'ended').eventStream()
        events.subscribe({ next: () => relay.cut(), error: reject, complete: resolve })
      })

      await say('ended', 'a')

      await ended
    })

    test('writes of a transaction are sent, and none of one that fails', async () => {
      const { CommitTransaction, NewTransaction } = client.api.message
      const [a, b] = [await say('swap', 'a'), await say('swap', 'b')]
      const room = listen(await connect(client, server.url), 'swap')
      await room.hears('a,b')
      const commit = async (...writes) => {
        const { entity } = await writer.send(new NewTransaction())
        await writer.send(new CommitTransaction(entity.tid).entity({ writeSet: writes }, 'json'))
      }

      await assert.rejects(commit({ ...a.toJSON(), text: 'lost' }, { ...b.toJSON(), version: 7 }), {
        status: 412,
      })
      await commit({ ...a.toJSON(), text: 'd' }, { ...b.toJSON(), text: 'c' })

      await room.until(({ texts }) => texts !== 'a,b')
      assert.doesNotMatch(room.texts, /lost/)
      await room.hears('c,d')
      room.stop()
    })

    test('each receives readable objects', async () => {
      const { db, user } = await registered(client, server.url)
      const mine = listen(db, 'secret')
      const others = listen(await connect(client, server.url), 'secret')
      await Promise.all([mine.hears(''), others.hears('')])

      await say('secret', 'a', (acl) => acl.allowReadAccess(user.id))
      const b = await say('secret', 'b')
      await Promise.all([mine.hears('a,b'), others.hears('b')])

      b.acl.allowReadAccess(user.id)
      await b.update()
      await others.hears('')
      b.acl.deleteReadAccess(user.id)
      await b.update()

      await Promise.all([mine.hears('a,b'), others.hears('b')])
      mine.stop()
      others.stop()
    })

    test('a stream ends with the session that it came with', async () => {
      const { db, user } = await registered(client, server.url)
      const room = listen(db, 'over')
      await room.hears('')
      const root = await connectAsRoot(client, server.url)

      await root.User.revokeAllTokens(user.id)

      await room.until(({ error }) => error)
      const { status, reason } = room.error.cause
      assert.deepEqual([status, reason], [460, 'Bad Credentials'])
    })
  })
}
