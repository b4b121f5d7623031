import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect, withClasses } from '../src/clients.js'
import { Server } from '../src/server.js'

/** Field name, basic type and values that have to come back as they were sent (protocol §1.5). */
const BASIC = [
  ['truth', 'Boolean', [true, false]],
  ['text', 'String', ['', 'Grüße 🦊', 'line\nbreak "quoted" \\ \u2028', '𝄞'.repeat(2000)]],
  ['whole', 'Integer', [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]],
  ['real', 'Double', [0.1, -1.5e300, 5e-324, 3]],
  ['anything', 'JsonObject', [{}, { 'a.b': { $c: [1, null, { d: 'é' }] } }]],
  ['list', 'JsonArray', [[], [1, 'two', null, [3.5, { four: true }]]]],
]

/** The server's form of instants of clients: the fraction without trailing zeros. */
const INSTANTS = {
  '2021-03-04T05:06:07.000Z': '2021-03-04T05:06:07Z',
  '2021-03-04T05:06:07.080Z': '2021-03-04T05:06:07.08Z',
  '1969-12-31T23:59:59.999Z': '1969-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.900Z': '9999-12-31T23:59:59.9Z',
}

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`values with ${client.name}`, () => {
    const name = `Value${client.suffix}`
    const partName = `Part${client.suffix}`
    let db
    before(async () => {
      db = await withClasses(client, server.url, (metamodel, types) => define(metamodel, types))
    })

    function define(metamodel, types) {
      const basic = (ref) => metamodel.baseType(ref)
      const part = new types.EmbeddableType(partName)
      const value = new types.EntityType(name, metamodel.entity(Object))
      const members = [
        new types.SingularAttribute('label', basic(String)),
        new types.SingularAttribute('since', basic('DateTime')),
        new types.SingularAttribute('opens', basic('Time')),
        new types.SingularAttribute('spot', basic('GeoPoint')),
        new types.SingularAttribute('owner', value),
      ]
      members.forEach((attribute) => part.addAttribute(attribute))
      const attributes = [
        ...BASIC.map(([field, type]) => new types.SingularAttribute(field, basic(type))),
        new types.SingularAttribute('instant', basic('DateTime')),
        new types.SingularAttribute('day', basic('Date')),
        new types.SingularAttribute('time', basic('Time')),
        new types.SingularAttribute('place', basic('GeoPoint')),
        new types.SingularAttribute('part', part),
        new types.SingularAttribute('other', value),
        new types.ListAttribute('numbers', basic('Integer')),
        new types.ListAttribute('parts', part),
        new types.ListAttribute('others', value),
        new types.SetAttribute('tags', basic('String')),
        new types.SetAttribute('days', basic('Date')),
        new types.MapAttribute('scores', basic('String'), basic('Double')),
        new types.MapAttribute('byNumber', basic('Integer'), basic('String')),
        new types.MapAttribute('byOther', value, basic('Boolean')),
      ]
      attributes.forEach((attribute) => value.addAttribute(attribute))
      return [part, value]
    }

    /** Returns what another client reads of an object with these fields. */
    async function roundTrip(fields) {
      const stored = await new db[name](fields).insert()
      return (await connect(client, server.url))[name].load(stored.id)
    }

    /** Returns the server's JSON of an object. */
    async function raw(object) {
      return (await server.fetch(object.id)).json()
    }

    for (const [field, type, values] of BASIC) {
      test(`${type} is stored unchanged`, async () => {
        for (const value of [null, ...values]) {
          assert.deepEqual((await roundTrip({ [field]: value }))[field], value)
        }
      })
    }

    test('DateTime retains the instant, written without trailing zeros', async () => {
      for (const [instant, written] of Object.entries(INSTANTS)) {
        const loaded = await roundTrip({ instant: new Date(instant) })

        assert.equal(+loaded.instant, +new Date(instant))
        assert.equal((await raw(loaded)).instant, written)
      }
    })

    test('Date and Time retain their part of an instant', async () => {
      const moment = new Date('2021-03-04T05:06:07.080Z')

      const loaded = await roundTrip({ day: moment, time: moment })

      const { day, time } = await raw(loaded)
      assert.deepEqual([day, time], ['2021-03-04', '05:06:07.08Z'])
      assert.equal(loaded.day.toISOString().slice(0, 10), '2021-03-04')
    })

    test('GeoPoint comes back as it was sent', async () => {
      const { GeoPoint } = client.api
      for (const [latitude, longitude] of [
        [53.5753, 10.0153],
        [-90, -180],
        [90, 180],
      ]) {
        const { place } = await roundTrip({ place: new GeoPoint(latitude, longitude) })

        assert.ok(place instanceof GeoPoint)
        assert.deepEqual([place.latitude, place.longitude], [latitude, longitude])
      }
    })

    test('an embedded object belongs to its owner', async () => {
      const loaded = await roundTrip({ part: new db[partName]({ label: 'inner' }) })

      assert.equal(loaded.part.label, 'inner')
      const unset = { since: null, opens: null, spot: null, owner: null }
      assert.deepEqual((await raw(loaded)).part, { label: 'inner', ...unset })
    })

    test('an embedded object is found by an equal one, whatever its fields', async () => {
      const owner = await new db[name]({}).insert()
      const part = () =>
        new db[partName]({
          label: 'whole',
          since: new Date('2021-03-04T05:06:07.080Z'),
          opens: new Date('1970-01-01T08:30:00Z'),
          spot: new client.api.GeoPoint(53.5, 10),
          owner,
        })
      const { id } = await new db[name]({ part: part(), parts: [part()] }).insert()

      const found = async (query) => (await query.resultList()).map((object) => object.id)

      assert.deepEqual(await found(db[name].find().equal('part', part())), [id])
      assert.deepEqual(await found(db[name].find().in('part', [part()])), [id])
      assert.deepEqual(await found(db[name].find().equal('parts', part())), [id])
      assert.deepEqual(await found(db[name].find().equal('part.label', 'whole').notEqual('part', part())), [])
      assert.deepEqual(await found(db[name].find().where({ part: { label: 'whole' } })), [])
    })

    test('a reference is stored as an id and can be followed', async () => {
      const target = await new db[name]({ id: `to/${client.suffix}`, text: 'target' }).insert()

      const loaded = await roundTrip({ other: target })

      assert.equal(loaded.other.id, target.id)
      assert.equal((await loaded.other.load()).text, 'target')
    })

    test('a list retains order, duplicates and nulls', async () => {
      const loaded = await roundTrip({ numbers: [3, 1, null, 3] })

      assert.deepEqual([...loaded.numbers], [3, 1, null, 3])
    })

    test('a list of embedded objects and one of references retain their elements', async () => {
      const target = await new db[name]({}).insert()

      const loaded = await roundTrip({ parts: [new db[partName]({ label: 'x' })], others: [target, null] })

      assert.deepEqual(
        loaded.parts.map((part) => part.label),
        ['x'],
      )
      assert.deepEqual(
        loaded.others.map((other) => other && other.id),
        [target.id, null],
      )
    })

    test('a set has each element once', async () => {
      const loaded = await roundTrip({ tags: new client.api.Set(['b', 'a', 'b']) })

      assert.deepEqual([...loaded.tags].sort(), ['a', 'b'])
    })

    test('a set of dates retains their spelling', async () => {
      const loaded = await roundTrip({ days: new client.api.Set([new Date('2021-03-04T00:00:00Z')]) })

      assert.deepEqual((await raw(loaded)).days, ['2021-03-04'])
    })

    test('maps retain their keys of any type', async () => {
      const { Map } = client.api
      const target = await new db[name]({ id: `key/${client.suffix}` }).insert()

      const loaded = await roundTrip({
        scores: new Map([
          ['a.b', 1.5],
          ['$c', -2],
        ]),
        byNumber: new Map([[4, 'four']]),
        byOther: new Map([[target, true]]),
      })

      assert.deepEqual([loaded.scores.get('a.b'), loaded.scores.get('$c')], [1.5, -2])
      assert.equal(loaded.byNumber.get(4), 'four')
      assert.deepEqual((await raw(loaded)).byOther, { [target.id]: true })
    })

    test('a value of the wrong type is refused and nothing is stored', async () => {
      const answer = await server.fetch(`/db/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ id: `/db/${name}/wrong`, whole: 'not a number' }),
      })

      assert.equal(answer.status, 463)
      assert.equal(await db[name].load('wrong', { refresh: true }), null)
    })

    test('collections that were changed in place are saved', async () => {
      const loaded = await roundTrip({ numbers: [1], tags: new client.api.Set(['a']) })

      loaded.numbers.push(2)
      loaded.tags.add('b')
      await loaded.update()

      const { numbers, tags } = await raw(loaded)
      assert.deepEqual(
        [numbers, tags.sort()],
        [
          [1, 2],
          ['a', 'b'],
        ],
      )
    })
  })
}
