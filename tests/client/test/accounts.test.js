import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect, connectAsRoot, freshName, registered } from '../src/clients.js'
import { Server } from '../src/server.js'

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`accounts with ${client.name}`, () => {
    test('a registered user is logged in', async () => {
      const { db, user } = await registered(client, server.url)

      assert.equal(db.User.me, user)
      assert.ok(user.id.startsWith('/db/User/'))
      assert.ok(user.acl.isReadAllowed(user) && user.acl.isWriteAllowed(user))
      assert.ok(db.token)
    })

    test('a user registered without login is not logged in', async () => {
      const db = await connect(client, server.url)

      const user = await db.User.register(freshName(), 'MySecretPassword', db.User.LoginOption.NO_LOGIN)

      assert.ok(user.id)
      assert.equal(db.User.me, null)
      assert.equal(db.token, null)
    })

    test('a name in use is refused', async () => {
      const { user } = await registered(client, server.url)
      const db = await connect(client, server.url)

      await assert.rejects(db.User.register(user.username, 'another'), { status: 409 })

      assert.equal(db.User.me, null)
    })

    test('a user logs in from another device, and out again', async () => {
      const { user } = await registered(client, server.url)
      const db = await connect(client, server.url)

      const same = await db.User.login(user.username, 'MySecretPassword')
      assert.deepEqual([same.id, db.User.me], [user.id, same])
      await db.User.logout()

      assert.deepEqual([db.User.me, db.token], [null, null])
    })

    test('custom fields are saved with the user, the name is not', async () => {
      const root = await connectAsRoot(client, server.url)
      const type = root.metamodel.entity('User')
      const nick = `nick${client.suffix}`
      const { SingularAttribute } = client.api.metamodel
      type.addAttribute(new SingularAttribute(nick, root.metamodel.baseType(String)))
      await root.metamodel.save()
      const { db, user } = await registered(client, server.url)
      const name = user.username

      user[nick] = 'Ann'
      user.username = 'root'
      await user.save({ refresh: true })

      assert.deepEqual([user[nick], user.username], ['Ann', name])
      assert.equal((await db.User.load(user.id))[nick], 'Ann')
    })

    test('a user saves itself by force, too', async () => {
      const { user } = await registered(client, server.url)
      user.inactive = true

      await user.save({ force: true, refresh: true })

      assert.equal(user.inactive, false)
    })

    test('a new password continues the session and ends all others', async () => {
      const { db, user } = await registered(client, server.url)
      const elsewhere = await connect(client, server.url)
      await elsewhere.User.login(user.username, 'MySecretPassword')

      await assert.rejects(user.newPassword('wrong', 'next'), { status: 460 })
      await user.newPassword('MySecretPassword', 'next')

      assert.equal((await db.renew()).id, user.id)
      assert.equal(await elsewhere.renew(), null)
      await assert.rejects(elsewhere.User.login(user.username, 'MySecretPassword'), { status: 460 })
      assert.ok(await elsewhere.User.login(user.username, 'next'))
    })

    test('an admin changes the password of a user and stays logged in', async () => {
      const { user } = await registered(client, server.url)
      const root = await connectAsRoot(client, server.url)

      await root.User.newPassword(user.username, '', 'given')

      assert.equal((await root.renew()).username, 'root')
      const db = await connect(client, server.url)
      assert.ok(await db.User.login(user.username, 'given'))
    })
  })
}
