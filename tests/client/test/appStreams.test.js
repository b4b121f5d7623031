import assert from 'node:assert/strict'
import { EventEmitter, on } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { STREAMING, connect, connectAsRoot, entityType, registered, withClasses } from '../src/clients.js'
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

    /** What is said in a room, kept up to date; `until` waits for a state. */
    function listen(db, room) {
      const updates = new EventEmitter()
      const heard = { texts: null }
      const tell = (change) => {
        Object.assign(heard, change)
        updates.emit('update')
      }
      const subscription = db[NAME].find()
        .equal('room', room)
        .ascending('text')
        .resultStream(
          (result) => tell({ texts: result.map(({ text }) => text).join() }),
          (error) => tell({ error }),
        )
      const until = async (condition) => {
        if (!condition(heard)) {
          for await (const _ of on(updates, 'update')) {
            if (condition(heard)) break
          }
        }
      }
      return {
        heard,
        until,
        hears: (texts) => until((now) => now.texts === texts),
        stop: () => subscription.unsubscribe(),
      }
    }

    test('one socket carries a hundred subscriptions', async () => {
      const db = await connect(client, server.url)
      const rooms = Array.from({ length: SUBSCRIPTIONS }, (_, i) => listen(db, `many${i}`))
      await Promise.all(rooms.map((room) => room.hears('')))

      await Promise.all([say('many0', 'first'), say('many57', 'middle'), say('many99', 'last')])

      await Promise.all([rooms[0].hears('first'), rooms[57].hears('middle'), rooms[99].hears('last')])
      assert.equal(rooms.filter(({ heard }) => heard.texts === '').length, SUBSCRIPTIONS - 3)
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

    test('each hears what may be read', async () => {
      const { db, user } = await registered(client, server.url)
      const mine = listen(db, 'secret')
      const others = listen(await connect(client, server.url), 'secret')
      await Promise.all([mine.hears(''), others.hears('')])

      await say('secret', 'a', (acl) => acl.allowReadAccess(user.id))
      await say('secret', 'b')

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
      const { status, reason } = room.heard.error.cause
      assert.deepEqual([status, reason], [460, 'Bad Credentials'])
    })
  })
}
