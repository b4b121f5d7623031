import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connectAsRoot, entityType, withClasses } from '../src/clients.js'
import { Server } from '../src/server.js'

const PRIMARY = { keys: [{ id: 'asc' }], unique: true }

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`indexes with ${client.name}`, () => {
    const name = `Place${client.suffix}`
    const { DbIndex } = client.api.metamodel
    let root
    before(async () => {
      await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, name, { name: String, rank: 'Integer', at: 'GeoPoint' }),
      ])
      root = await connectAsRoot(client, server.url)
    })

    const listed = async () =>
      (await root.metamodel.getIndexes(name)).map(({ keys, unique }) => ({ keys, unique }))

    test('a compound index is created, listed and dropped as listed', async () => {
      await root.metamodel.createIndex(name, new DbIndex([{ name: DbIndex.ASC }, { rank: DbIndex.DESC }]))

      const keys = [{ name: 'asc' }, { rank: 'desc' }, { id: 'desc' }]
      assert.deepEqual(await listed(), [PRIMARY, { keys, unique: false }])
      await root.metamodel.dropIndex(name, new DbIndex(keys))
      assert.deepEqual(await listed(), [PRIMARY])
    })

    test('a unique index refuses a second object with the same value', async () => {
      await root.metamodel.createIndex(name, new DbIndex({ name: DbIndex.ASC }, true))
      const first = await new root[name]({ name: 'Berlin' }).insert()

      await assert.rejects(new root[name]({ name: 'Berlin' }).insert(), (error) => {
        assert.equal(error.status, 409)
        return error.message.startsWith('Unique index violation')
      })
      await first.delete()
      await root.metamodel.dropAllIndexes(name)
      assert.deepEqual(await listed(), [PRIMARY])
    })

    test('near needs a geo index and finds the nearest first', async () => {
      const { GeoPoint } = root
      const hamburg = await new root[name]({ name: 'Hamburg', at: new GeoPoint(53.55, 9.99) }).insert()
      await new root[name]({ name: 'Munich', at: new GeoPoint(48.14, 11.58) }).insert()
      const near = () => root[name].find().near('at', new GeoPoint(52.52, 13.4), 600_000).resultList()

      await assert.rejects(near(), { status: 468 })
      await root.metamodel.createIndex(name, new DbIndex({ at: 'geo' }))

      assert.deepEqual(
        (await near()).map((place) => place.name),
        ['Hamburg', 'Munich'],
      )
      const corner = new GeoPoint(50, 5)
      const triangle = [corner, new GeoPoint(55, 5), new GeoPoint(54, 15), corner]
      const within = await root[name].find().withinPolygon('at', triangle).resultList()
      assert.deepEqual(
        within.map((place) => place.id),
        [hamburg.id],
      )
    })

    test('a text index is listed like the others', async () => {
      const response = await server.fetch(`/index/${name}/text`, {
        method: 'PUT',
        headers: { authorization: `BAT ${root.token}` },
      })

      assert.equal(response.status, 202)
      const found = await root[name]
        .find()
        .where({ $text: { $search: 'munich' } })
        .resultList()
      assert.deepEqual(
        found.map((place) => place.name),
        ['Munich'],
      )
      assert.ok((await listed()).some(({ keys }) => keys.some((key) => key['$**'] === 'text')))
    })

    test('the indexes of an unknown class are null', async () => {
      assert.equal(await root.metamodel.getIndexes('NoSuchClass'), null)
    })
  })
}
