import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect, connectAsRoot, entityType, withClasses } from '../src/clients.js'
import { Server } from '../src/server.js'

/**
Names of members of a client's database object that could be those of classes, and are not yet.
*/
const membersOf = (db) => {
  const names = []
  for (let each = db; each !== null; each = Object.getPrototypeOf(each)) {
    names.push(...Object.getOwnPropertyNames(each))
  }
  const isClass = (name) => db.metamodel.entity(name) || db.metamodel.embeddable(name)
  return names.filter((name) => /^[A-Za-z]/.test(name) && !isClass(name) && db[name])
}

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`schema with ${client.name}`, () => {
    const name = `Thing${client.suffix}`
    const part = `Part${client.suffix}`
    let root
    before(async () => {
      await withClasses(client, server.url, (metamodel, types) => {
        const embedded = new types.EmbeddableType(part)
        embedded.addAttribute(new types.SingularAttribute('zip', metamodel.baseType('Integer')))
        return [embedded, entityType(metamodel, types, name, { text: String, n: 'Integer' })]
      })
      root = await connectAsRoot(client, server.url)
    })

    const operate = async (operation) => {
      const answer = await server.fetch('/schema', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `BAT ${root.token}` },
        body: JSON.stringify(operation),
      })
      assert.equal(answer.status, 200, await answer.clone().text())
      return answer.json()
    }

    test('no class can have the name of a member of every client', async () => {
      const [first, ...others] = await Promise.all(CLIENTS.map((each) => connect(each, server.url)))
      const names = membersOf(first).filter((member) => others.every((other) => other[member]))
      assert.ok(names.length > 50, names.join())

      for (const member of names) {
        const answer = await server.fetch(`/schema/${member}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `BAT ${root.token}` },
          body: JSON.stringify({ class: `/db/${member}`, fields: {} }),
        })
        assert.equal(answer.status, 400, member)
      }
      await connect(client, server.url)
    })

    test('an attribute added to a known class is visible to the next client', async () => {
      const { SingularAttribute } = client.api.metamodel
      root.metamodel.entity(name).addAttribute(new SingularAttribute('more', root.metamodel.baseType(String)))

      await root.metamodel.save()

      const other = await connect(client, server.url)
      assert.ok(other.metamodel.entity(name).getAttribute('more'))
    })

    test('a subclass has the attributes of its super class', async () => {
      const { EntityType } = client.api.metamodel
      root.metamodel.addType(new EntityType(`Sub${name}`, root.metamodel.entity(name)))
      await root.metamodel.save()

      const other = await connect(client, server.url)
      const saved = await new other[`Sub${name}`]({ text: 'inherited', n: 1 }).save()

      assert.equal((await other[`Sub${name}`].load(saved.id)).text, 'inherited')
    })

    test('a class with constraints works, and names what it refuses', async () => {
      await operate({
        operation: 'changeField',
        bucket: `/db/${name}`,
        field: { name: 'n', flags: ['NOTNULL'], metadata: { 'orestes.max': '9' } },
      })

      const other = await connect(client, server.url)

      await new other[name]({ n: 9 }).insert()
      await assert.rejects(new other[name]({ n: 10 }).insert(), (error) => {
        assert.equal(error.status, 463)
        assert.deepEqual(error.data, { path: 'n' })
        return true
      })
      await assert.rejects(new other[name]({ text: 'no n' }).insert(), { status: 463 })
    })

    test('a schema that a client saves back removes no constraint', async () => {
      const again = await connectAsRoot(client, server.url)
      await again.metamodel.save()

      const [descriptor] = (await (await server.fetch('/schema')).json()).filter(
        (each) => each.class === `/db/${name}`,
      )

      assert.deepEqual(descriptor.fields.n.flags, ['NOTNULL'])
    })

    test('a user without permission cannot save the schema', async () => {
      const other = await connect(client, server.url)

      await assert.rejects(other.metamodel.save(), { status: 466 })
    })
  })
}
