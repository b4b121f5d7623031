import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { STREAMING, connect, connectAsRoot, entityType, withClasses } from '../src/clients.js'
import { Server } from '../src/server.js'

const NAME = 'Task'

/** Collects what a stream sends; `next()` waits for the next item. */
class Inbox {
  #waiting = []
  #received = []

  put(item) {
    const taker = this.#waiting.shift()
    if (taker) {
      taker(item)
    } else {
      this.#received.push(item)
    }
  }

  next() {
    return this.#received.length > 0
      ? Promise.resolve(this.#received.shift())
      : new Promise((resolve) => this.#waiting.push(resolve))
  }

  get isEmpty() {
    return this.#received.length === 0
  }
}

for (const client of STREAMING) {
  describe(`streams with ${client.name}`, () => {
    let server
    let db
    let writer
    const subscriptions = []

    before(async () => {
      server = await Server.start()
      writer = await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, NAME, { list: String, done: Boolean, rank: Number }),
      ])
      db = await connect(client, server.url)
    })
    after(() => server.stop())
    afterEach(() => subscriptions.splice(0).forEach((subscription) => subscription.unsubscribe()))

    const errors = new Inbox()

    /** Returns the events of open tasks of one list. */
    function events(list, options = {}) {
      const inbox = new Inbox()
      const query = db[NAME].find().equal('list', list).equal('done', false)
      subscriptions.push(
        query.eventStream(
          options,
          (event) => inbox.put(event),
          (error) => errors.put(error),
        ),
      )
      return inbox
    }

    function results(list) {
      const inbox = new Inbox()
      const query = db[NAME].find().equal('list', list).equal('done', false)
      subscriptions.push(
        query.resultStream(
          (result) => inbox.put(result.map((task) => task.key)),
          (error) => errors.put(error),
        ),
      )
      return inbox
    }

    const task = (list, id) => new writer[NAME]({ id, list, done: false }).insert()
    const summary = (event) => [event.matchType, event.operation, event.data.key]

    test('an event stream starts with the existing objects', async () => {
      await task('initial', 'initial-1')

      const event = await events('initial').next()

      assert.deepEqual(summary(event), ['add', 'none', 'initial-1'])
    })

    test('insert, change, leave and delete arrive in order', async () => {
      const inbox = events('order')
      const ready = await sentinel(inbox, 'order')

      const added = await task('order', 'order-1')
      await added.update({ force: true })
      added.done = true
      await added.update()
      await ready.delete()

      assert.deepEqual(
        [await inbox.next(), await inbox.next(), await inbox.next(), await inbox.next()].map(summary),
        [
          ['add', 'insert', 'order-1'],
          ['change', 'update', 'order-1'],
          ['remove', 'update', 'order-1'],
          ['remove', 'delete', 'order-ready'],
        ],
      )
    })

    /** Inserts a task whose event shows that the subscription works. */
    async function sentinel(inbox, list) {
      const inserted = await task(list, `${list}-ready`)
      await inbox.next()
      return inserted
    }

    test('only requested match types are sent', async () => {
      await task('filtered', 'filtered-old')
      const inbox = events('filtered', { matchTypes: ['remove'] })
      assert.deepEqual(summary(await inbox.next()), ['add', 'none', 'filtered-old'])

      const fresh = await task('filtered', 'filtered-new')
      await fresh.delete()

      assert.deepEqual(summary(await inbox.next()), ['remove', 'delete', 'filtered-new'])
      assert.ok(inbox.isEmpty)
    })

    test('a client may answer the event of its own write with the next write', async () => {
      const inbox = events('own')
      await sentinel(inbox, 'own')

      const mine = await new db[NAME]({ id: 'own-1', list: 'own', done: false }).insert()
      const event = await inbox.next()
      event.data.done = true
      await event.data.update()

      assert.equal(event.data, mine)
      assert.equal(mine.version, 2)
      assert.deepEqual(summary(await inbox.next()), ['remove', 'update', 'own-1'])
    })

    test('a result stream maintains the whole result', async () => {
      await task('whole', 'whole-1')
      const inbox = results('whole')
      assert.deepEqual(await inbox.next(), ['whole-1'])

      const second = await task('whole', 'whole-2')
      assert.deepEqual(await inbox.next(), ['whole-1', 'whole-2'])

      await second.delete()
      assert.deepEqual(await inbox.next(), ['whole-1'])
    })

    test('a result stream of nothing starts with the empty result', async () => {
      assert.deepEqual(await results('nothing').next(), [])
    })

    test('unreadable objects are not sent, and leave when they become unreadable', async () => {
      const root = await connectAsRoot(client, server.url)
      const inbox = events('acl')
      await sentinel(inbox, 'acl')
      const secret = new root[NAME]({ id: 'acl-1', list: 'acl', done: false })
      secret.acl.allowReadAccess(root.User.me)
      await secret.insert()

      const open = await new root[NAME]({ id: 'acl-2', list: 'acl', done: false }).insert()
      open.acl.allowReadAccess(root.User.me)
      await open.update()

      assert.deepEqual(summary(await inbox.next()), ['add', 'insert', 'acl-2'])
      assert.deepEqual(summary(await inbox.next()), ['remove', 'update', 'acl-2'])
      assert.ok(inbox.isEmpty)
    })

    test('a query that cannot be followed ends the stream with its status', async () => {
      db[NAME].find()
        .ascending('list')
        .offset(500)
        .eventStream(
          () => {},
          (error) => errors.put(error),
        )

      const error = await errors.next()

      assert.deepEqual([error.cause.status, error.cause.reason], [468, 'Query Not Supported'])
    })

    /** Open tasks of one list by rank, without the first one and at most two. */
    const ranked = (list) => db[NAME].find().equal('list', list).ascending('rank').offset(1).limit(2)
    const rankedTask = (list, rank) => new writer[NAME]({ id: `${list}-${rank}`, list, rank }).insert()
    const place = (event) => [...summary(event), event.index]

    test('a sorted event stream has the positions where objects enter, move and leave', async () => {
      const [first, , third] = [
        await rankedTask('sorted', 1),
        await rankedTask('sorted', 2),
        await rankedTask('sorted', 3),
      ]
      await rankedTask('sorted', 4)
      const inbox = new Inbox()
      subscriptions.push(
        ranked('sorted').eventStream(
          {},
          (event) => inbox.put(event),
          (error) => errors.put(error),
        ),
      )
      assert.deepEqual(place(await inbox.next()), ['add', 'none', 'sorted-2', 0])
      assert.deepEqual(place(await inbox.next()), ['add', 'none', 'sorted-3', 1])

      third.rank = 1.5
      await third.update()
      await first.delete()

      assert.deepEqual(place(await inbox.next()), ['changeIndex', 'update', 'sorted-3', 0])
      assert.deepEqual(place(await inbox.next()).slice(0, 3), ['remove', 'none', 'sorted-3'])
      assert.deepEqual(place(await inbox.next()), ['add', 'none', 'sorted-4', 1])
    })

    test('a sorted result stream maintains its part of the result', async () => {
      const [first, second] = [await rankedTask('part', 1), await rankedTask('part', 2)]
      await rankedTask('part', 3)
      const inbox = new Inbox()
      subscriptions.push(
        ranked('part').resultStream(
          (result) => inbox.put(result.map((task) => task.key)),
          (error) => errors.put(error),
        ),
      )
      assert.deepEqual(await inbox.next(), ['part-2', 'part-3'])

      await rankedTask('part', 0)
      await until(inbox, ['part-1', 'part-2'])
      second.rank = 0.5
      await second.update()
      await until(inbox, ['part-2', 'part-1'])
      await first.delete()

      await until(inbox, ['part-2', 'part-3'])
    })

    /** One write may cause two results. */
    async function until(inbox, expected) {
      let keys
      do {
        keys = await inbox.next()
      } while (keys.join() !== expected.join())
    }

    test('after unsubscribing nothing arrives any more', async () => {
      const inbox = events('quiet')
      const other = events('quiet')
      await sentinel(inbox, 'quiet')
      await other.next()
      subscriptions.at(-2).unsubscribe()

      await task('quiet', 'quiet-1')

      assert.deepEqual(summary(await other.next()), ['add', 'insert', 'quiet-1'])
      assert.ok(inbox.isEmpty)
    })
  })
}
