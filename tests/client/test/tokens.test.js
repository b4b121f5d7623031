import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect, connectAsRoot, entityType, registered, withClasses } from '../src/clients.js'
import { ROOT_PASSWORD, Server } from '../src/server.js'

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

const created = (token) => parseInt(token.slice(0, 8), 16)

/** Resolves when the token is a second old, from when on it is renewed. */
async function untilRenewable(token) {
  while (Date.now() / 1000 < created(token) + 1) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

for (const client of CLIENTS) {
  describe(`roles and tokens with ${client.name}`, () => {
    test('a session that writes is renewed', async () => {
      const name = `Diary${client.suffix}`
      await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, name, { text: String }),
      ])
      const { db } = await registered(client, server.url)
      const first = db.token
      await untilRenewable(first)

      await new db[name]({ text: 'a' }).insert()

      assert.ok(created(db.token) > created(first))
    })

    test('permissions of an object for a role apply to its members', async () => {
      const name = `Plan${client.suffix}`
      await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, name, { text: String }),
      ])
      const member = await registered(client, server.url)
      const stranger = await registered(client, server.url)
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
      const { user } = await registered(client, server.url)
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
      const { db, user } = await registered(client, server.url)
      const { TokenStorage } = client.api.util
      const url = await new TokenStorage(server.url, db.token).signPath(`/v1${user.id}`)

      const answer = await fetch(new URL(url, server.url))

      assert.equal(answer.status, 200)
      assert.equal((await answer.json()).id, user.id)
    })
  })
}

/** The token in the client's form of the answer. */
function tokenIn(answer) {
  return typeof answer === 'string' ? answer : answer.token
}
