import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect, connectAsRoot, entityType, withClasses } from '../src/clients.js'
import { ROOT_PASSWORD, Server } from '../src/server.js'

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

let names = 0
const freshName = () => `user${(names += 1)}@example.com`

/** A client whose user has just registered. */
async function registered(client) {
  const db = await connect(client, server.url)
  const user = await db.User.register(freshName(), 'MySecretPassword')
  return { db, user }
}

const created = (token) => parseInt(token.slice(0, 8), 16)

/** Resolves when the token is a second old, from when on it is renewed. */
async function untilRenewable(token) {
  while (Date.now() / 1000 < created(token) + 1) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

for (const client of CLIENTS) {
  describe(`accounts with ${client.name}`, () => {
    test('who registers is logged in', async () => {
      const { db, user } = await registered(client)

      assert.equal(db.User.me, user)
      assert.ok(user.id.startsWith('/db/User/'))
      assert.ok(user.acl.isReadAllowed(user) && user.acl.isWriteAllowed(user))
      assert.ok(db.token)
    })

    test('who registers without login is not logged in', async () => {
      const db = await connect(client, server.url)

      const user = await db.User.register(freshName(), 'MySecretPassword', db.User.LoginOption.NO_LOGIN)

      assert.ok(user.id)
      assert.equal(db.User.me, null)
      assert.equal(db.token, null)
    })

    test('a name that is taken is refused', async () => {
      const { user } = await registered(client)
      const db = await connect(client, server.url)

      await assert.rejects(db.User.register(user.username, 'another'), { status: 409 })

      assert.equal(db.User.me, null)
    })

    test('a user logs in from another device, and out again', async () => {
      const { user } = await registered(client)
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
      const { db, user } = await registered(client)
      const name = user.username

      user[nick] = 'Ann'
      user.username = 'root'
      await user.save({ refresh: true })

      assert.deepEqual([user[nick], user.username], ['Ann', name])
      assert.equal((await db.User.load(user.id))[nick], 'Ann')
    })

    test('a user saves itself by force, too', async () => {
      const { user } = await registered(client)
      user.inactive = true

      await user.save({ force: true, refresh: true })

      assert.equal(user.inactive, false)
    })

    test('a new password goes on with the session and ends all others', async () => {
      const { db, user } = await registered(client)
      const elsewhere = await connect(client, server.url)
      await elsewhere.User.login(user.username, 'MySecretPassword')

      await assert.rejects(user.newPassword('wrong', 'next'), { status: 460 })
      await user.newPassword('MySecretPassword', 'next')

      assert.equal((await db.renew()).id, user.id)
      assert.equal(await elsewhere.renew(), null)
      await assert.rejects(elsewhere.User.login(user.username, 'MySecretPassword'), { status: 460 })
      assert.ok(await elsewhere.User.login(user.username, 'next'))
    })

    test('an admin gives a user another password and stays who it is', async () => {
      const { user } = await registered(client)
      const root = await connectAsRoot(client, server.url)

      await root.User.newPassword(user.username, '', 'given')

      assert.equal((await root.renew()).username, 'root')
      const db = await connect(client, server.url)
      assert.ok(await db.User.login(user.username, 'given'))
    })

    test('a session that writes is renewed', async () => {
      const name = `Diary${client.suffix}`
      await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, name, { text: String }),
      ])
      const { db } = await registered(client)
      const first = db.token
      await untilRenewable(first)

      await new db[name]({ text: 'a' }).insert()

      assert.ok(created(db.token) > created(first))
    })

    test('what an object allows to a role is for its members', async () => {
      const name = `Plan${client.suffix}`
      await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, name, { text: String }),
      ])
      const member = await registered(client)
      const stranger = await registered(client)
      const { Role, [name]: Plan } = member.db
      const team = new Role({ name: 'team' })
      team.addUser(member.user)
      await team.save()
      const plan = new Plan({ text: 'ours' })
      plan.acl.allowReadAccess(team).allowWriteAccess(team)
      await plan.insert()

      assert.ok(team.hasUser(member.user))
      assert.equal((await member.db[name].load(plan.id, { refresh: true })).text, 'ours')
      assert.equal(await stranger.db[name].load(plan.id), null)
      assert.deepEqual(await stranger.db[name].find().resultList(), [])
    })

    test('an API token acts for its user until it is revoked', async () => {
      const { user } = await registered(client)
      const root = await connectAsRoot(client, server.url)

      const token = tokenIn(await root.User.requestAPIToken(user))
      const program = await connect(client, server.url, token)
      assert.equal(program.User.me.id, user.id)
      assert.equal((await program.renew()).id, user.id)
      assert.equal(program.token, token)
      await root.User.revokeAllTokens(user)

      assert.equal(await program.renew(), null)
      assert.equal((await connect(client, server.url, token)).User.me, null)
    })

    test('an admin who revokes the own tokens stays logged in', async () => {
      const root = await connectAsRoot(client, server.url)
      const elsewhere = await connectAsRoot(client, server.url)

      await root.User.revokeAllTokens(root.User.me)

      assert.equal((await root.renew()).username, 'root')
      assert.equal(await elsewhere.renew(), null)
      assert.ok(await elsewhere.User.login('root', ROOT_PASSWORD))
    })

    test('an object is reached by a signed URL of its own', async () => {
      const { db, user } = await registered(client)
      const { TokenStorage } = client.api.util
      const url = new TokenStorage(server.url, db.token).signPath(`/v1${user.id}`)

      const answer = await fetch(new URL(url, server.url))

      assert.equal(answer.status, 200)
      assert.equal((await answer.json()).id, user.id)
    })
  })
}

/** The token in what the client makes of the answer. */
function tokenIn(answer) {
  return typeof answer === 'string' ? answer : answer.token
}
