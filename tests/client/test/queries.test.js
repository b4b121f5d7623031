import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect, connectAsRoot, entityType, withClasses } from '../src/clients.js'
import { Server } from '../src/server.js'

const PEOPLE = [
  { id: 'ann', name: 'Ann', age: 31 },
  { id: 'ben', name: 'Ben', age: 25 },
  { id: 'cid', name: 'Cid', age: 25 },
  { id: 'dora', name: 'Dora', age: 62 },
  { id: 'eve', name: null, age: null },
]

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`queries with ${client.name}`, () => {
    const name = `Person${client.suffix}`
    let db
    let Person
    before(async () => {
      const writer = await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, name, { name: String, age: 'Integer', born: 'DateTime' }),
      ])
      for (const person of PEOPLE) {
        await new writer[name](person).insert()
      }
      db = await connect(client, server.url)
      Person = db[name]
    })

    const keys = (people) => people.map((person) => person.key)

    test('an empty query finds all', async () => {
      assert.deepEqual(
        keys(await Person.find().ascending('id').resultList()),
        PEOPLE.map((each) => each.id),
      )
    })

    test('equality, with sort and limit', async () => {
      const people = await Person.find().equal('age', 25).descending('name').limit(1).resultList()

      assert.deepEqual(keys(people), ['cid'])
      assert.equal(people[0].name, 'Cid')
    })

    test('unset values sort first, equal ones by id', async () => {
      const people = await Person.find().ascending('age').resultList()

      assert.deepEqual(keys(people), ['eve', 'ben', 'cid', 'ann', 'dora'])
    })

    test('offset and limit page through a sorted result', async () => {
      const page = (offset) => Person.find().ascending('name').offset(offset).limit(2).resultList()

      assert.deepEqual(keys(await page(1)), ['ann', 'ben'])
      assert.deepEqual(keys(await page(3)), ['cid', 'dora'])
      assert.deepEqual(keys(await page(5)), [])
    })

    test('ranges, sets and prefixes', async () => {
      const found = async (query) => keys(await query.ascending('id').resultList())

      assert.deepEqual(await found(Person.find().greaterThan('age', 25).lessThanOrEqualTo('age', 62)), [
        'ann',
        'dora',
      ])
      assert.deepEqual(await found(Person.find().in('name', ['Ann', 'Ben'])), ['ann', 'ben'])
      assert.deepEqual(await found(Person.find().notEqual('age', 25).isNotNull('name')), ['ann', 'dora'])
      assert.deepEqual(await found(Person.find().matches('name', /^D/)), ['dora'])
      assert.deepEqual(await found(Person.find().isNull('name')), ['eve'])
    })

    test('conditions joined by or, nor', async () => {
      const either = Person.find().or(Person.find().equal('name', 'Ann'), Person.find().equal('age', 62))

      assert.deepEqual(keys(await either.ascending('id').resultList()), ['ann', 'dora'])
      const neither = Person.find().nor(Person.find().equal('age', 25), Person.find().isNull('age'))
      assert.deepEqual(keys(await neither.ascending('id').resultList()), ['ann', 'dora'])
    })

    test('dates are compared as instants', async () => {
      const future = new Date(Date.now() + 3_600_000)

      assert.equal(await Person.find().lessThan('createdAt', future).count(), PEOPLE.length)
      assert.equal(await Person.find().greaterThan('createdAt', future).count(), 0)
    })

    test('single result: the first, or null', async () => {
      assert.equal((await Person.find().equal('name', 'Ann').singleResult()).key, 'ann')
      assert.equal(await Person.find().equal('name', 'Nobody').singleResult(), null)
    })

    test('count', async () => {
      assert.equal(await Person.find().count(), PEOPLE.length)
      assert.equal(await Person.find().equal('age', 25).count(), 2)
    })

    test('a query too long for a URL works all the same', async () => {
      const names = [...Array.from({ length: 4000 }, (_, i) => `nobody number ${i}`), 'Ann']

      assert.deepEqual(keys(await Person.find().in('name', names).resultList()), ['ann'])
      assert.equal(await Person.find().in('name', names).count(), 1)
    })

    test('an object written since is in the next result', async () => {
      const query = () => Person.find().equal('name', 'Zoe').count()
      const list = () => Person.find().equal('name', 'Zoe').resultList()
      assert.deepEqual([await query(), (await list()).length, (await list()).length], [0, 0, 0])

      const zoe = await new Person({ name: 'Zoe' }).insert()

      assert.deepEqual([await query(), (await list()).length], [1, 1])
      await zoe.delete()
      assert.deepEqual([await query(), (await list()).length], [0, 0])
    })

    test('objects that may not be read are not found', async () => {
      const root = await connectAsRoot(client, server.url)
      const hidden = new root[name]({ name: 'Hidden' })
      hidden.acl.allowReadAccess(root.User.me)
      await hidden.insert()

      assert.equal(await Person.find().equal('name', 'Hidden').count(), 0)
      assert.equal(await root[name].find().equal('name', 'Hidden').count(), 1)
      await hidden.delete()
    })

    test('a query the server cannot run is an error with its status', async () => {
      await assert.rejects(Person.find().where({ $where: 'true' }).resultList(), { status: 468 })
    })
  })
}
