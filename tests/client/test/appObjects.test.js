import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect } from '../src/clients.js'
import { Guide } from '../src/guide.js'
import { Server } from '../src/server.js'

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`a travel guide with ${client.name}`, () => {
    let db, Country, Place, Museum, Address, countryName, placeName, germany, denmark, places

    before(async () => {
      const guide = await Guide.open(client, server.url)
      ;({ db, Country, Place, Museum, Address, germany, denmark, places } = guide)
      ;({ countryName, placeName } = guide)
    })

    const find = () => Place.find()

    test('everything is loaded from the server unchanged', async () => {
      const other = await connect(client, server.url)
      const place = await other[placeName].load('garden')

      assert.deepEqual([...place.tags], ['old', 'park', 'fun'])
      assert.equal(place.visited.toISOString(), places[2].visited.toISOString())
      assert.equal(place.since.toISOString().slice(0, 10), '1902-01-01')
      assert.equal(place.opens.toISOString().slice(11), '10:00:00.000Z')
      assert.deepEqual(place.facts, places[2].facts)
      assert.deepEqual(
        [...place.prices],
        [
          ['child', 2],
          ['adult', 4.5],
        ],
      )
      assert.equal(place.near.length, 2)
      assert.equal(place.near[0].key, 'harbour')
      assert.equal([...place.seen.values()][0].id, denmark.id)
      assert.equal(place.country.id, `/db/${countryName}/dk`)
      assert.ok(place.createdAt instanceof Date && place.updatedAt instanceof Date)
    })

    test('depth loads referenced objects, and their references', async () => {
      const other = await connect(client, server.url)
      const place = await other[placeName].load('garden', { depth: 1 })

      assert.equal(place.country.name, 'Denmark')
      assert.equal(place.near[1].name, 'Gate')
      const [found] = await other[placeName].find().equal('id', places[1].id).resultList({ depth: true })
      assert.equal(found.near[0].country.name, 'Germany')
    })

    test('depth saves referenced objects', async () => {
      const country = new Country({ name: 'Sweden' })
      const place = new Place({
        name: 'Hut',
        rank: 100,
        country,
        near: [new Place({ name: 'Lake', rank: 101 })],
      })
      await place.insert({ depth: true })
      place.country.name = 'Norway'
      place.near[0].name = 'Sea'
      await place.save({ depth: true })

      const other = await connect(client, server.url)
      const loaded = await other[placeName].load(place.id, { depth: true })
      assert.deepEqual(
        [loaded.country.name, loaded.near[0].name, loaded.country.version],
        ['Norway', 'Sea', 2],
      )
      await place.delete({ depth: true })
      assert.equal(await other[countryName].load(country.id, { refresh: true }), null)
    })

    test('refresh loads writes of others', async () => {
      const mine = await new Place({ name: 'Fair', rank: 50 }).insert()
      const other = await connect(client, server.url)
      const same = await other[placeName].load(mine.id)
      same.name = 'Market'
      await same.save()

      await mine.load({ refresh: true })

      assert.deepEqual([mine.name, mine.version], ['Market', 2])
      await mine.delete()
    })

    test('a subclass has the fields of its super class, and is found by its own name only', async () => {
      const museum = await new Museum({ name: 'Art', theme: 'modern', rank: 70, country: germany }).insert()

      assert.ok(museum instanceof Place)
      assert.equal(await Museum.find().equal('name', 'Art').singleResult(), museum)
      assert.equal(await find().equal('name', 'Art').count(), 0)
      const pal = await new Place({ name: 'Pal', rank: 71, near: [museum] }).insert()
      const other = await connect(client, server.url)
      const loaded = await other[placeName].load(pal.id, { depth: 1 })
      assert.equal(loaded.near[0].theme, 'modern')
      await pal.delete()
    })

    /** Characters that are special in ids, URLs, JSON or HTML. */
    const KEYS = [
      'a b',
      'a/b',
      'ä?ö',
      'x\\y',
      '100%',
      "o'neil",
      '#1',
      'a+b',
      'q&a=1',
      '日本',
      'a.b',
      '..x',
      '(a)*!~',
      '"',
    ]
    KEYS.push(
      '<b>',
      'ends/',
      ' ',
      '%2F',
      'UPPER',
      '🦊',
      'e\u0301',
      'a;b',
      '[x]',
      'a,b',
      '@',
      '$set',
      'a:b',
      '|',
      '^`{}',
    )

    test('keys of any characters are stored unchanged', async () => {
      const other = await connect(client, server.url)
      await Promise.all(KEYS.map((key) => keeps(other, key)))
    })

    async function keeps(other, key) {
      const country = await new Country({
        id: `/db/${countryName}/${encodeURIComponent(key)}`,
        name: key,
      }).insert()
      country.name += '!'
      await country.save()
      await country.partialUpdate().set('name', `${key}?`).execute()
      const loaded = await other[countryName].load(key)
      assert.deepEqual([loaded.id, loaded.key, loaded.name, loaded.version], [country.id, key, `${key}?`, 3])
      assert.equal(await other[countryName].find().equal('id', country.id).singleResult(), loaded)
      const place = await new Place({ name: key, country }).insert()
      assert.equal(await find().equal('country', country).singleResult(), place)
      await country.delete()
      assert.equal(await other[countryName].load(key, { refresh: true }), null)
    }

    test('partial updates change every kind of field', async () => {
      const place = new Place({
        name: 'Mill',
        rank: 60,
        rating: 2,
        address: new Address({ street: 'A', zip: 1 }),
        country: germany,
      })
      place.tags = new Set(['a', 'b'])
      place.prices = new Map([['x', 1]])
      place.grades = [1, 2, 3]
      place.near = [places[0]]
      place.days = new Set([new Date(Date.UTC(2020, 0, 1))])
      place.former = [new Address({ street: 'B', zip: 2 })]
      place.seen = new Map([[new Date(Date.UTC(2020, 0, 1)), germany]])
      await place.insert()
      const before = place.updatedAt
      await place
        .partialUpdate()
        .set('name', 'Windmill')
        .inc('rank', 5)
        .mul('rating', 2)
        .set('address.street', 'C')
        .inc('address.zip', 3)
        .add('tags', 'c')
        .put('prices', 'y', 2)
        .push('grades', 4)
        .push('near', places[1])
        .add('days', new Date(Date.UTC(2020, 0, 2)))
        .set('country', denmark)
        .toNow('visited')
        .toNow('since')
        .toNow('opens')
        .set('spot', new db.GeoPoint(1, 2))
        .set('facts', { a: 1 })
        .push('former', new Address({ street: 'D', zip: 4 }))
        .put('seen', '2020-01-02', denmark)
        .execute()

      assert.deepEqual(
        [
          place.name,
          place.rank,
          place.rating,
          place.address.street,
          place.address.zip,
          [...place.tags],
          [...place.prices],
          place.grades,
        ],
        [
          'Windmill',
          65,
          4,
          'C',
          4,
          ['a', 'b', 'c'],
          [
            ['x', 1],
            ['y', 2],
          ],
          [1, 2, 3, 4],
        ],
      )
      assert.deepEqual(
        place.near.map(({ key }) => key),
        ['harbour', 'gate'],
      )
      assert.equal(place.days.size, 2)
      assert.equal(place.country, denmark)
      assert.ok(Math.abs(Date.now() - place.visited) < 60000)
      assert.deepEqual(
        [place.spot.latitude, place.facts.a, place.former[1].street, place.seen.size],
        [1, 1, 'D', 2],
      )
      assert.ok(place.updatedAt > before)
      await place
        .partialUpdate()
        .remove('tags', 'a')
        .remove('prices', 'x')
        .replace('grades', 1, 9)
        .replace('grades', 5, 7)
        .remove('near', places[0])
        .remove('days', new Date(Date.UTC(2020, 0, 1)))
        .remove('former', new Address({ street: 'B', zip: 2 }))
        .min('rank', 10)
        .max('rating', 9)
        .set('spot', null)
        .remove('seen', '2020-01-02')
        .execute()
      assert.deepEqual([...place.tags], ['b', 'c'])
      assert.deepEqual([...place.prices], [['y', 2]])
      assert.deepEqual(place.grades, [1, 9, 3, 4, null, 7])
      assert.deepEqual(
        place.near.map(({ key }) => key),
        ['gate'],
      )
      assert.deepEqual(
        [place.days.size, place.former.length, place.rank, place.rating, place.spot],
        [1, 1, 10, 9, null],
      )
      assert.equal(place.seen.size, 1)
      await assert.rejects(place.partialUpdate().push('name', 'x').execute(), {
        status: 400,
        message: 'Unsupported update operation $push on name',
      })
      await assert.rejects(place.partialUpdate().set('address', { street: 'x' }).execute(), {
        status: 400,
        message: "The body can't be processed",
      })
      await assert.rejects(place.partialUpdate().set('rank', 'x').execute(), { status: 463 })
      await place.delete()
      await assert.rejects(place.partialUpdate().set('name', 'x').execute(), { status: 404 })
    })

    test('errors have the reasons and texts of the protocol', async () => {
      const outdated = [412, 'Object Out Of Date', /is out of date/]
      const denied = [466, 'Permission Denied', /./]
      const readOnly = [466, 'Permission Denied', /Write permissions are required/]
      const mine = await new Place({ name: 'Pub', rank: 80 }).insert()
      const [other, third] = [await connect(client, server.url), await connect(client, server.url)]
      const same = await other[placeName].load(mine.id)
      await mine.save({ force: true })
      same.name = 'x'

      await fails(same.save(), outdated)
      await fails(same.delete(), outdated)
      await fails(new third[placeName]({ id: mine.key }).insert(), [409, 'Object Exists', /already exists/])
      await fails(db.User.login('nobody', 'x'), [
        460,
        'Bad Credentials',
        /User name or password is incorrect/,
      ])
      await fails(new db.User({ username: 'x' }).insert(), [466, 'Permission Denied', /are not allowed/])
      await fails(find().where({ $where: '1' }).resultList(), [468, 'Query Not Supported', /\$where/])
      await fails(
        find()
          .where({ rank: { $in: 1 } })
          .resultList(),
        [471, 'Syntax Error', /\$in/],
      )
      await fails(db.metamodel.save(), denied)
      await fails(db.metamodel.createIndex(placeName, new client.api.metamodel.DbIndex('name')), denied)
      mine.acl.allowWriteAccess('/db/User/1')
      await mine.save()
      await fails(mine.save({ force: true }), readOnly)
      await fails(mine.delete(), readOnly)
      await fails(mine.partialUpdate().set('name', 'y').execute(), readOnly)
    })

    /** Asserts the client's error for a failing answer, be it the error or its cause. */
    async function fails(promise, [status, reason, text]) {
      const error = await promise.then(
        () => assert.fail('no error'),
        (failure) => (failure.status ? failure : failure.cause),
      )
      assert.deepEqual([error.status, error.reason], [status, reason])
      assert.match(error.message, text)
    }
  })
}
