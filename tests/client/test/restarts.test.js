import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { STREAMING, connect, entityType, withClasses } from '../src/clients.js'
import { Server } from '../src/server.js'

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

/** A query that is kept up to date: `empty` and `object` are promises of its first empty and its first other result. */
function follow(query) {
  const stream = {}
  stream.empty = new Promise((resolve, reject) => {
    stream.object = new Promise((found, failed) => {
      stream.subscription = query.resultStream(
        ([first]) => (first ? found(first.key) : resolve()),
        (error) => [reject, failed].forEach((fail) => fail(error)),
      )
    })
  })
  return stream
}

/** Shared by all versions, since clients wait for seconds before they try again. */
test('result streams outlive a restart of the server', async () => {
  const writer = await withClasses(STREAMING[0], server.url, (metamodel, types) => [
    entityType(metamodel, types, 'Survivor', { text: String }),
  ])
  const dbs = await Promise.all(STREAMING.map((client) => connect(client, server.url)))
  const streams = dbs.map((db) => follow(db.Survivor.find()))
  await Promise.all(streams.map(({ empty }) => empty))

  await server.restart()
  await new writer.Survivor({ id: 'back' }).insert()

  const heard = await Promise.all(streams.map(({ object }) => object))
  assert.deepEqual(
    heard,
    STREAMING.map(() => 'back'),
  )
  streams.forEach(({ subscription }) => subscription.unsubscribe())
})
