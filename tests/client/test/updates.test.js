import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { CLIENTS, connect, withClasses } from '../src/clients.js'
import { Server } from '../src/server.js'

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`partial updates with ${client.name}`, () => {
    const name = `Counter${client.suffix}`
    let db
    let counter
    before(async () => {
      db = await withClasses(client, server.url, (metamodel, types) => {
        const type = new types.EntityType(name, metamodel.entity(Object))
        const single = (field, of) =>
          type.addAttribute(new types.SingularAttribute(field, metamodel.baseType(of)))
        single('text', String)
        single('count', 'Integer')
        single('ratio', 'Double')
        single('bits', 'Integer')
        single('changed', 'DateTime')
        single('data', 'JsonObject')
        type.addAttribute(new types.ListAttribute('list', metamodel.baseType(String)))
        type.addAttribute(new types.SetAttribute('set', metamodel.baseType(String)))
        type.addAttribute(
          new types.MapAttribute('map', metamodel.baseType(String), metamodel.baseType('Integer')),
        )
        type.addAttribute(new types.MapAttribute('scores', type, metamodel.baseType('Integer')))
        return [type]
      })
    })

    beforeEach(async () => {
      counter = new db[name]({ text: 'a', count: 5, ratio: 1.5, bits: 12 })
      counter.list = ['x', 'y', 'x']
      counter.set = new Set(['x', 'y'])
      counter.map = new Map([['a', 1]])
      await counter.insert()
    })

    test('a builder changes the named fields and refreshes the object', async () => {
      await counter.partialUpdate().set('text', 'b').inc('count', 2).dec('ratio', 1).execute()

      assert.equal(counter.text, 'b')
      assert.equal(counter.count, 7)
      assert.equal(counter.ratio, 0.5)
      assert.equal(counter.version, 2)
      const other = await (await connect(client, server.url))[name].load(counter.id)
      assert.equal(other.count, 7)
    })

    test('numbers are multiplied, divided, bounded and masked', async () => {
      await counter.partialUpdate().multiply('count', 3).divide('ratio', 3).and('bits', 10).execute()
      assert.deepEqual([counter.count, counter.ratio, counter.bits], [15, 0.5, 8])

      await counter.partialUpdate().atMost('count', 9).atLeast('ratio', 2).or('bits', 3).execute()
      assert.deepEqual([counter.count, counter.ratio, counter.bits], [9, 2, 11])

      await counter.partialUpdate().xor('bits', 1).execute()
      assert.equal(counter.bits, 10)
    })

    test('lists grow, shrink and change at both ends and in between', async () => {
      await counter.partialUpdate().push('list', 'z').execute()
      await counter.partialUpdate().unshift('list', 'w').execute()
      assert.deepEqual(counter.list, ['w', 'x', 'y', 'x', 'z'])

      await counter.partialUpdate().pop('list').execute()
      await counter.partialUpdate().shift('list').execute()
      await counter.partialUpdate().replace('list', 1, 'q').execute()
      assert.deepEqual(counter.list, ['x', 'q', 'x'])

      await counter.partialUpdate().remove('list', 'x').execute()
      assert.deepEqual(counter.list, ['q'])
    })

    test('sets and maps take and lose elements', async () => {
      await counter.partialUpdate().add('set', 'z').put('map', 'b', 2).execute()
      assert.deepEqual([...counter.set], ['x', 'y', 'z'])
      assert.deepEqual(
        [...counter.map],
        [
          ['a', 1],
          ['b', 2],
        ],
      )

      await counter.partialUpdate().remove('set', 'x').remove('map', 'a').execute()
      assert.deepEqual([...counter.set], ['y', 'z'])
      assert.deepEqual([...counter.map], [['b', 2]])
    })

    test('an entry of a map whose keys are objects is removed by the object', async () => {
      const other = await new db[name]({ text: 'key' }).insert()
      await counter.partialUpdate().put('scores', other.id, 1).execute()
      assert.equal(counter.scores.get(other), 1)

      await counter.partialUpdate().remove('scores', other).execute()

      assert.equal(counter.scores.size, 0)
    })

    test('the current date is that of the write', async () => {
      await counter.partialUpdate().currentDate('changed').execute()

      assert.equal(counter.changed.getTime(), counter.updatedAt.getTime())
    })

    test('an object can be updated without being loaded', async () => {
      const reference = db[name].ref(counter.id)

      await reference.partialUpdate().inc('count', 1).execute()

      assert.equal(reference.count, 6)
    })

    test('many clients at once lose no increment', async () => {
      const others = await Promise.all([1, 2, 3, 4].map(() => connect(client, server.url)))

      await Promise.all(
        others.map(async (other) => {
          for (let i = 0; i < 25; i++) {
            await other[name].ref(counter.id).partialUpdate().inc('count', 1).execute()
          }
        }),
      )

      await counter.load({ refresh: true })
      assert.equal(counter.count, 105)
      assert.equal(counter.version, 101)
    })

    test('an operation that the type does not support fails with the text applications expect', async () => {
      await assert.rejects(
        counter.partialUpdate().push('text', 'b').execute(),
        (error) => error.status === 400 && error.message === 'Unsupported update operation $push on text',
      )
    })
  })
}
