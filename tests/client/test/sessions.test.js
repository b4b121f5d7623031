import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect, connectAsRoot, entityType } from '../src/clients.js'
import { ROOT_PASSWORD, Server } from '../src/server.js'

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`sessions with ${client.name}`, () => {
    test('root logs in', async () => {
      const db = await connect(client, server.url)

      const user = await db.User.login('root', ROOT_PASSWORD)

      assert.deepEqual([user.username, user.id], ['root', '/db/User/1'])
      assert.equal(db.User.me, user)
    })

    test('a wrong password and an unknown user are refused alike', async () => {
      const db = await connect(client, server.url)
      const refusal = (error) =>
        error.status === 460 && /User name or password is incorrect/.test(error.message)

      await assert.rejects(db.User.login('root', 'wrong'), refusal)
      await assert.rejects(db.User.login('nobody', ROOT_PASSWORD), refusal)
      await assert.rejects(db.User.login('root', ''), refusal)
      assert.equal(db.User.me, null)
    })

    test('a stored token resumes the session at the next connect', async () => {
      const token = (await connectAsRoot(client, server.url)).token

      const db = await connect(client, server.url, token)

      assert.equal(db.User.me.username, 'root')
      assert.ok(db.token)
    })

    test('an invalid token connects as anonymous', async () => {
      const token = (await connectAsRoot(client, server.url)).token
      const forged = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')

      const db = await connect(client, server.url, forged)

      assert.equal(db.User.me, null)
    })

    test('me renews the session', async () => {
      const db = await connectAsRoot(client, server.url)

      const me = await db.renew()

      assert.equal(me.username, 'root')
      assert.ok(db.token)
    })

    test('me is null for an anonymous client', async () => {
      assert.equal(await (await connect(client, server.url)).renew(), null)
    })

    test('after logout no user is logged in', async () => {
      const db = await connectAsRoot(client, server.url)

      await db.User.logout()

      assert.equal(db.User.me, null)
      assert.equal(await db.renew(), null)
    })

    test('classes are created by admins only', async () => {
      const db = await connect(client, server.url)
      const { metamodel } = db
      metamodel.addType(entityType(metamodel, client.api.metamodel, `Intruder${client.suffix}`, {}))

      await assert.rejects(metamodel.save(), { status: 466 })

      assert.equal((await server.fetch(`/schema/Intruder${client.suffix}`)).status, 461)
    })

    test('a field is added to a class without losing data', async () => {
      const name = `Growing${client.suffix}`
      const root = await connectAsRoot(client, server.url)
      const { metamodel: types } = client.api
      root.metamodel.addType(entityType(root.metamodel, types, name, { first: String }))
      await root.metamodel.save()
      const old = await new (await connect(client, server.url))[name]({ first: 'kept' }).insert()

      const type = root.metamodel.entity(name)
      type.addAttribute(new types.SingularAttribute('second', root.metamodel.baseType('Integer')))
      await root.metamodel.save()

      const loaded = await (await connect(client, server.url))[name].load(old.id)
      assert.deepEqual([loaded.first, loaded.second], ['kept', null])
    })
  })
}
