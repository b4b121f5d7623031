import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect, entityType, registered, withClasses } from '../src/clients.js'
import { Server } from '../src/server.js'

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`transactions with ${client.name}`, () => {
    const name = `Account${client.suffix}`
    const { connector, message } = client.api
    const at = (method, path, status) => connector.Message.create({ method, path, status: [status] })
    // 4.x has no messages for this; applications make their own.
    const Begin = message.NewTransaction ?? at('POST', '/transaction', 201)
    const Commit = message.CommitTransaction ?? at('PUT', '/transaction/:tid/committed', 200)
    const Abort = at('PUT', '/transaction/:tid/aborted', 204)
    let db

    before(async () => {
      db = await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, name, { owner: String, balance: Number }),
      ])
    })

    const account = (owner, balance) => new db[name]({ owner, balance }).insert()
    const begin = async () => (await db.send(new Begin())).entity.tid
    const commit = async (tid, parts) => (await db.send(new Commit(tid).entity(parts, 'json'))).entity

    async function balances(...accounts) {
      await Promise.all(accounts.map((it) => it.load({ refresh: true })))
      return accounts.map(({ balance }) => balance)
    }

    /** Transfers ten from one to the other, by their local states. */
    function transfer(tid, from, to) {
      from.balance -= 10
      to.balance += 10
      return commit(tid, { writeSet: [from.toJSON(), to.toJSON()] })
    }

    test('committed writes are visible to all, with the versions of the answer', async () => {
      const [one, other] = [await account('ann', 50), await account('bob', 0)]

      const versions = await transfer(await begin(), one, other)

      assert.deepEqual(versions, [{ [one.id]: 2 }, { [other.id]: 2 }])
      assert.deepEqual(await balances(one, other), [40, 10])
      assert.equal(one.version, 2)
    })

    test('of two that write one object the second changes nothing, and receives the stale ids', async () => {
      const [one, other] = [await account('ann', 50), await account('bob', 0)]
      const tid = await begin()
      const elsewhere = await (await connect(client, server.url))[name].load(other.id)
      elsewhere.balance = 1
      await elsewhere.save()

      await assert.rejects(transfer(tid, one, other), ({ status, data }) => {
        assert.deepEqual([status, data.stale], [412, [other.id]])
        return true
      })

      assert.deepEqual(await balances(one, other), [50, 1])
    })

    test('inserts, partial updates and deletions are done together', async () => {
      const [counted, closed] = [await account('bob', 2), await account('cid', 3)]
      const fresh = { ...new db[name]({ balance: 3 }).toJSON(), id: `/db/${name}/fresh` }

      await commit(await begin(), {
        writeSet: [fresh],
        partialUpdates: [{ ref: counted.id, operations: { $inc: { balance: 5 } } }],
        deleteSet: [{ [closed.id]: closed.version }],
      })

      const ids = [fresh.id, counted.id, closed.id]
      const left = await db[name].find().in('id', ids).ascending('balance').resultList()
      assert.deepEqual(
        left.map(({ id, balance }) => [id, balance]),
        [
          [fresh.id, 3],
          [counted.id, 7],
        ],
      )
    })

    test('nothing is written when what was read has changed', async () => {
      const [read, counted] = [await account('ann', 1), await account('bob', 2)]
      const readSet = [{ oid: read.id, version: read.version }]
      const partialUpdates = [{ ref: counted.id, operations: { $inc: { balance: 5 } } }]
      await commit(await begin(), { readSet, partialUpdates })
      await read.save({ force: true })

      await assert.rejects(commit(await begin(), { readSet, partialUpdates }), { status: 412 })

      assert.deepEqual(await balances(counted), [7])
    })

    test('one forbidden write prevents all others', async () => {
      const { user } = await registered(client, server.url)
      const [mine, theirs] = [await account('me', 50), new db[name]({ owner: 'them', balance: 0 })]
      theirs.acl.allowWriteAccess(user.id)
      await theirs.insert()

      await assert.rejects(transfer(await begin(), mine, theirs), { status: 466 })

      assert.deepEqual(await balances(mine, theirs), [50, 0])
    })

    test('after its end a transaction does nothing more', async () => {
      const one = await account('ann', 50)
      const [aborted, committed] = [await begin(), await begin()]
      await db.send(new Abort(aborted))
      await commit(committed, {})
      const deletion = { deleteSet: [{ [one.id]: 1 }] }

      for (const tid of [aborted, committed]) {
        await assert.rejects(commit(tid, deletion), { status: 472 })
      }
      assert.deepEqual(await commit(committed, {}), [])
      assert.deepEqual(await balances(one), [50])
    })
  })
}
