import { after, before, describe, test } from 'node:test'
import { STREAMING, connect, entityType, registered, withClasses } from '../src/clients.js'
import { LiveResult } from '../src/liveResult.js'
import { Server } from '../src/server.js'

const ENDS = { 'a restart': 'SIGTERM', 'a crash': 'SIGKILL' }

/** Shared by all versions, since clients wait for seconds before they try again. */
describe('result streams', () => {
  let server, writer
  before(async () => {
    server = await Server.start()
    writer = await withClasses(STREAMING[0], server.url, (metamodel, types) => [
      entityType(metamodel, types, 'Survivor', { round: String, text: String }),
    ])
  })
  after(() => server.stop())

  function say(round, text, readers = []) {
    const said = new writer.Survivor({ round, text })
    readers.forEach((reader) => said.acl.allowReadAccess(reader))
    return said.insert()
  }

  /** Follows filtered and sorted results of a user, and sorted ones of an anonymous client. */
  async function follow(client, round) {
    const [nobody, { db, user }] = [await connect(client, server.url), await registered(client, server.url)]
    const all = (who) => who.Survivor.find().equal('round', round)
    const sorted = (who) => new LiveResult(all(who).ascending('text'))
    return { user, filtered: new LiveResult(all(db)), mine: sorted(db), others: sorted(nobody) }
  }

  /** Checks for these texts in any order. */
  const holds = (expected) => (now) => now.texts?.split(',').sort().join() === expected

  for (const [end, signal] of Object.entries(ENDS)) {
    test(`outlive ${end} of the server, each with the readable objects`, async () => {
      const streams = await Promise.all(STREAMING.map((client) => follow(client, end)))
      const users = streams.map(({ user }) => user)
      const all = (texts) =>
        Promise.all(
          streams.flatMap(({ filtered, mine, others }) => [
            filtered.until(holds(texts.mine)),
            mine.hears(texts.mine),
            others.hears(texts.others),
          ]),
        )
      await say(end, 'a')
      await say(end, 'b', users)
      await all({ mine: 'a,b', others: 'a' })

      await server.restart(signal)
      await say(end, 'c', users)
      await say(end, 'd')

      await all({ mine: 'a,b,c,d', others: 'a,d' })
      streams.forEach(({ filtered, mine, others }) => [filtered, mine, others].forEach((it) => it.stop()))
    })
  }
})
