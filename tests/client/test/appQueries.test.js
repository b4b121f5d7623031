import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS } from '../src/clients.js'
import { Guide } from '../src/guide.js'
import { Server } from '../src/server.js'

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`queries of a travel guide with ${client.name}`, () => {
    let db, Place, germany, denmark, places

    before(async () => {
      ;({ db, Place, germany, denmark, places } = await Guide.open(client, server.url))
    })

    const find = () => Place.find()
    const keys = async (query) => (await query.resultList()).map(({ key }) => key)

    const at = (...args) => new db.GeoPoint(...args)
    const QUERIES = {
      equal: [() => find().equal('name', 'Gate'), ['gate']],
      'equal to a reference': [() => find().equal('country', germany), ['gate', 'harbour']],
      'equal to null': [() => find().isNull('country'), ['nowhere']],
      'not null': [() => find().isNotNull('country'), ['garden', 'gate', 'harbour']],
      'not equal to a reference': [() => find().notEqual('country', germany), ['garden', 'nowhere']],
      'greater than': [() => find().greaterThan('rank', 3), ['nowhere']],
      'at least': [() => find().greaterThanOrEqualTo('rank', 3), ['garden', 'nowhere']],
      'less than': [() => find().lessThan('rating', 1.5), ['harbour']],
      'at most': [() => find().lessThanOrEqualTo('rating', 1.5), ['gate', 'harbour']],
      between: [() => find().between('rank', 1, 4), ['garden', 'gate']],
      in: [() => find().in('rank', 1, 3, 9), ['garden', 'harbour']],
      'in references': [() => find().in('country', [denmark]), ['garden']],
      'not in': [() => find().notIn('rank', [1, 3]), ['gate', 'nowhere']],
      'in ids': [() => find().in('id', places[0].id, places[1].id), ['gate', 'harbour']],
      'by id': [() => find().equal('id', places[0].id), ['harbour']],
      'contains any': [() => find().containsAny('tags', 'fun', 'water'), ['garden', 'harbour']],
      'contains all': [() => find().containsAll('tags', ['old', 'free']), ['gate']],
      'an element of a set': [() => find().equal('tags', 'old'), ['garden', 'gate']],
      'a reference in a list': [() => find().in('near', places[0]), ['garden', 'gate', 'nowhere']],
      'equal to a reference in a list': [() => find().equal('near', places[1]), ['garden', 'nowhere']],
      mod: [() => find().mod('rank', 2, 0), ['gate', 'nowhere']],
      matches: [() => find().matches('name', /^Ga/), ['garden', 'gate']],
      'matches a string': [() => find().matches('name', '^Ga'), ['garden', 'gate']],
      'size of a list': [() => find().size('grades', 3), ['garden']],
      'size of a set': [() => find().size('tags', 2), ['gate', 'harbour']],
      'size of an empty set': [() => find().size('tags', 0), ['nowhere']],
      exists: [() => find().where({ facts: { $exists: true } }), ['garden', 'gate', 'harbour', 'nowhere']],
      'a field of an embedded object': [() => find().equal('address.zip', 20001), ['gate']],
      'a field of embedded objects in a list': [() => find().greaterThan('former.zip', 2), ['nowhere']],
      'inside of JSON': [() => find().equal('facts.deep.er.x', 2), ['garden']],
      'an entry of a map': [() => find().greaterThan('prices.adult', 4), ['garden', 'nowhere']],
      'a date-time': [
        () => find().equal('visited', new Date(Date.UTC(2021, 1, 28, 12, 30, 0, 80))),
        ['gate'],
      ],
      'a range of date-times': [() => find().lessThan('visited', new Date('2021-01-01')), ['harbour']],
      'a date': [() => find().equal('since', new Date(Date.UTC(1901, 0, 1))), ['gate']],
      'a range of dates': [
        () => find().greaterThan('since', new Date(Date.UTC(1900, 5, 1))),
        ['garden', 'gate'],
      ],
      'dates in': [() => find().in('since', new Date(Date.UTC(1901, 0, 1))), ['gate']],
      'a time': [
        () => find().greaterThanOrEqualTo('opens', new Date(Date.UTC(2020, 5, 5, 9))),
        ['garden', 'gate'],
      ],
      'created before now': [
        () =>
          find()
            .lessThan('createdAt', new Date(Date.now() + 60000))
            .lessThanOrEqualTo('rank', 1),
        ['harbour'],
      ],
      polygon: [
        () => find().withinPolygon('spot', at(52, 9), at(54, 9), at(54, 14), at(52, 14), at(52, 9)),
        ['gate', 'harbour'],
      ],
      and: [() => find().and(find().equal('open', true), find().greaterThan('rank', 1)), ['garden']],
      or: [() => find().or(find().equal('rank', 1), find().equal('rank', 4)), ['harbour', 'nowhere']],
      nor: [() => find().nor(find().equal('rank', 1), find().equal('rank', 4)), ['garden', 'gate']],
      'not by hand': [() => find().where({ rank: { $not: { $gt: 1 } } }), ['harbour']],
      'elements by hand': [
        () => find().where({ former: { $elemMatch: { street: 'Old', zip: 1 } } }),
        ['gate'],
      ],
      type: [() => find().where({ rating: { $type: 'double' } }), ['garden', 'gate', 'harbour', 'nowhere']],
      version: [() => find().where({ version: 1 }), ['garden', 'gate', 'harbour', 'nowhere']],
    }

    for (const [name, [query, expected]] of Object.entries(QUERIES)) {
      test(`a query finds its objects: ${name}`, async () => {
        assert.deepEqual((await keys(query())).sort(), expected)
        assert.equal(await query().count(), expected.length)
      })
    }

    test('near finds from the nearest on, unless sorted', async () => {
      assert.deepEqual(await keys(find().near('spot', at(53.55, 10), 400_000)), ['harbour', 'gate', 'garden'])
      assert.deepEqual(await keys(find().near('spot', at(53.55, 10), 100_000)), ['harbour'])
      assert.deepEqual(await keys(find().near('spot', at(53.55, 10), 400_000).descending('name').limit(2)), [
        'harbour',
        'gate',
      ])
    })

    test('results are sorted, paged, counted and read one at a time', async () => {
      assert.deepEqual(await keys(find().descending('rank')), ['nowhere', 'garden', 'gate', 'harbour'])
      assert.deepEqual(await keys(find().sort({ open: 1, rank: -1 })), [
        'nowhere',
        'gate',
        'garden',
        'harbour',
      ])
      assert.deepEqual(await keys(find().ascending('rank').offset(1).limit(2)), ['gate', 'garden'])
      assert.deepEqual(await keys(find().ascending('country').ascending('name')), [
        'nowhere',
        'gate',
        'harbour',
        'garden',
      ])
      assert.deepEqual(await keys(find().ascending('address.zip').limit(2)), ['nowhere', 'harbour'])
      assert.equal((await find().descending('rank').singleResult()).key, 'nowhere')
      assert.equal(await find().equal('rank', 77).singleResult(), null)
      assert.equal(await find().equal('rank', 77).count(), 0)
      assert.deepEqual(await find().equal('rank', 77).resultList(), [])
    })
  })
}
