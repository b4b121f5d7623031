import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect, connectAsRoot, entityType, withClasses } from '../src/clients.js'
import { Server } from '../src/server.js'

/** A key of every kind of character that may occur in an id (protocol §1.2). */
const KEYS = {
  plain: 'plain',
  'what encodeURIComponent leaves alone': "-_.!~*'()",
  slash: 'a/b',
  'question mark and hash': 'a?b#c',
  space: 'a b',
  plus: 'a+b',
  percent: '100%25',
  umlauts: 'Grüße',
  'beyond the basic plane': '🦊日本',
  backslash: 'a\\b',
  quotes: `"a'b"`,
  'characters with a meaning in URLs': ':@&=,;$[]{}|^`<>',
  'only dots': '...',
  'a path out of here': '../../User/1',
  'control characters': 'a\tb\u0001',
  long: 'k'.repeat(400),
}

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`objects with ${client.name}`, () => {
    const name = `Note${client.suffix}`
    let db
    before(async () => {
      db = await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, name, { text: String, count: 'Integer' }),
      ])
    })

    test('a class created through the metamodel is visible to other clients', async () => {
      const other = await connect(client, server.url)

      const type = other.metamodel.entity(name)

      assert.deepEqual(
        type.declaredAttributes.map((attribute) => attribute.name),
        ['text', 'count'],
      )
      assert.equal(type.getAttribute('count').type.ref, '/db/Integer')
    })

    test('insert gives version 1 and equal times', async () => {
      const note = new db[name]({ text: 'hi', count: 7 })

      await note.insert()

      assert.equal(note.version, 1)
      assert.ok(note.createdAt instanceof Date)
      assert.equal(+note.createdAt, +note.updatedAt)
    })

    test('another client loads the inserted object', async () => {
      const note = await new db[name]({ text: 'hi', count: 7 }).insert()

      const loaded = await (await connect(client, server.url))[name].load(note.id)

      assert.deepEqual(loaded.toJSON(), note.toJSON())
      assert.deepEqual([loaded.text, loaded.count], ['hi', 7])
    })

    test('an absent object is null', async () => {
      assert.equal(await db[name].load('nowhere'), null)
    })

    test('inserting an id twice fails', async () => {
      await new db[name]({ id: 'taken' }).insert()
      const second = (await connect(client, server.url))[name]

      const insertion = new second({ id: 'taken' }).insert()

      await assert.rejects(insertion, { status: 409 })
    })

    test('every update adds one to the version and moves the time on', async () => {
      const note = await new db[name]({ text: 'a' }).insert()
      const inserted = +note.updatedAt

      note.text = 'b'
      await note.update()

      assert.equal(note.version, 2)
      assert.ok(+note.updatedAt > inserted)
    })

    test('a stale update is refused with 412 and changes nothing', async () => {
      const note = await new db[name]({ text: 'a' }).insert()
      const mine = await (await connect(client, server.url))[name].load(note.id)
      note.text = 'theirs'
      await note.update()

      mine.text = 'mine'
      const update = mine.update()

      await assert.rejects(update, (error) => error.status === 412 && /is out of date/.test(error.message))
      assert.equal((await (await connect(client, server.url))[name].load(note.id)).text, 'theirs')
    })

    test('a forced update overwrites concurrent changes', async () => {
      const note = await new db[name]({ text: 'a' }).insert()
      const mine = await (await connect(client, server.url))[name].load(note.id)
      await note.update({ force: true })

      mine.text = 'mine'
      await mine.update({ force: true })

      assert.deepEqual([mine.version, mine.text], [3, 'mine'])
    })

    test('an update of an absent object fails', async () => {
      const note = await new db[name]({ text: 'a' }).insert()
      await (await (await connect(client, server.url))[name].load(note.id)).delete()

      await assert.rejects(note.update(), { status: 412 })
      await assert.rejects(note.update({ force: true }), { status: 412 })
    })

    test('save inserts, then updates', async () => {
      const note = new db[name]({ text: 'a' })

      await note.save()
      note.text = 'b'
      await note.save({ refresh: true })

      assert.deepEqual([note.version, note.text], [2, 'b'])
    })

    test('a forced save brings a deleted object back at version 1', async () => {
      const note = await new db[name]({ text: 'a' }).insert()
      await (await (await connect(client, server.url))[name].load(note.id)).delete()

      await note.save({ force: true })

      assert.equal(note.version, 1)
    })

    test('an optimistic save repeats until it succeeds', async () => {
      const note = await new db[name]({ count: 0 }).insert()
      const others = await Promise.all([1, 2, 3].map(() => connect(client, server.url)))

      await Promise.all(
        others.map(async (other) => {
          const mine = await other[name].load(note.id)
          await mine.optimisticSave((object) => {
            object.count += 1
          })
        }),
      )

      await note.load({ refresh: true })
      assert.deepEqual([note.count, note.version], [3, 4])
    })

    test('delete removes the object', async () => {
      const note = await new db[name]({ text: 'a' }).insert()

      await note.delete()

      assert.equal(await (await connect(client, server.url))[name].load(note.id), null)
    })

    test('a stale delete is refused with 412, a forced one is not', async () => {
      const note = await new db[name]({ text: 'a' }).insert()
      const mine = await (await connect(client, server.url))[name].load(note.id)
      await note.update({ force: true })

      await assert.rejects(mine.delete(), { status: 412 })
      await mine.delete({ force: true })

      assert.equal(await (await connect(client, server.url))[name].load(note.id), null)
    })

    for (const [kind, key] of Object.entries(KEYS)) {
      test(`an id may contain: ${kind}`, async () => {
        const id = `/db/${name}/${encodeURIComponent(key)}`
        const note = await new db[name]({ id: key, text: kind }).insert()
        const other = await connect(client, server.url)

        const loaded = await other[name].load(key)
        loaded.text = 'changed'
        await loaded.update()
        const found = await other[name].find().equal('id', id).singleResult()
        await note.load({ refresh: true })

        assert.deepEqual([note.id, loaded.id, found.id], [id, id, id])
        assert.equal(note.text, 'changed')
        await note.delete()
        assert.equal(await (await connect(client, server.url))[name].load(key), null)
      })
    }

    test('an ACL hides the object from others and survives updates', async () => {
      const root = await connectAsRoot(client, server.url)
      const note = new root[name]({ text: 'secret' })
      note.acl.allowReadAccess(root.User.me).allowWriteAccess(root.User.me)
      await note.insert()
      note.text = 'still secret'
      await note.update()

      const seen = await db[name].load(note.id)
      const overwriting = new db[name]({ id: note.id, text: 'mine' }).save({ force: true })

      assert.equal(seen, null)
      await assert.rejects(overwriting, { status: 466 })
      assert.ok((await root[name].load(note.id)).acl.isReadAllowed(root.User.me))
    })
  })
}
