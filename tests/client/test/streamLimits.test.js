import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { STREAMING, connect, entityType, withClasses } from '../src/clients.js'
import { LiveResult } from '../src/liveResult.js'
import { Server } from '../src/server.js'

const MOST = 3

let server
before(async () => {
  server = await Server.start('--live.max-per-socket', String(MOST))
})
after(() => server.stop())

for (const client of STREAMING) {
  test(`one stream too many for its socket fails alone with ${client.name}`, async () => {
    const name = `Line${client.suffix}`
    const writer = await withClasses(client, server.url, (metamodel, types) => [
      entityType(metamodel, types, name, { text: String }),
    ])
    const db = await connect(client, server.url)
    const follow = () => new LiveResult(db[name].find())
    const streams = Array.from({ length: MOST }, follow)
    await Promise.all(streams.map((stream) => stream.hears('')))

    const refused = follow()
    await refused.until(({ error }) => error)

    assert.deepEqual([refused.error.cause.status, refused.error.cause.reason], [429, 'Too Many Requests'])
    streams.pop().stop()
    streams.push(follow())
    await new writer[name]({ text: 'heard' }).insert()
    await Promise.all(streams.map((stream) => stream.hears('heard')))
    streams.forEach((stream) => stream.stop())
  })
}
