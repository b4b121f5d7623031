import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENTS, connect, connectAsRoot, entityType, registered, withClasses } from '../src/clients.js'
import { Server } from '../src/server.js'

const PASSWORD = 'MySecretPassword'

let server
before(async () => {
  server = await Server.start()
})
after(() => server.stop())

for (const client of CLIENTS) {
  describe(`a shared diary with ${client.name}`, () => {
    const name = `Diary${client.suffix}`
    let root, anns, bobs, ann, bob

    before(async () => {
      await withClasses(client, server.url, (metamodel, types) => [
        entityType(metamodel, types, name, { title: String }),
      ])
      root = await connectAsRoot(client, server.url)
      ;({ db: anns, user: ann } = await registered(client, server.url))
      ;({ db: bobs, user: bob } = await registered(client, server.url))
    })

    /** Creates a page of Ann's with these permissions. */
    function page(allow) {
      const made = new anns[name]({ title: 'x' })
      allow(made.acl)
      return made.insert()
    }

    const anybody = () => connect(client, server.url)
    const refused = (error) => error.status === 466

    test('a private page is hidden from all others, in every request', async () => {
      const mine = await page((acl) => acl.allowReadAccess(ann).allowWriteAccess(ann))
      const forged = new bobs[name]({ id: mine.key, title: 'forged' })

      assert.equal(await bobs[name].load(mine.id), null)
      assert.equal(await bobs[name].find().equal('id', mine.id).count(), 0)
      await assert.rejects(forged.insert(), { status: 409 })
      await assert.rejects(forged.save({ force: true }), refused)
      await assert.rejects(forged.delete({ force: true }), refused)

      await mine.save({ refresh: true })
      assert.equal(mine.title, 'x')
      assert.deepEqual(mine.acl.toJSON(), { read: { [ann.id]: 'allow' }, write: { [ann.id]: 'allow' } })
    })

    test('an optimistic save without permission ends at once', async () => {
      const mine = await page((acl) => acl.allowWriteAccess(ann))
      const seen = await bobs[name].load(mine.id)

      await assert.rejects(
        seen.optimisticSave((entity) => (entity.title = 'y')),
        refused,
      )
    })

    test('what is denied to one is visible to all others', async () => {
      const mine = await page((acl) => acl.denyReadAccess(bob))

      assert.equal(await bobs[name].load(mine.id), null)
      assert.ok(await (await anybody())[name].load(mine.id))
    })

    test('members of a role have its permissions as long as they are members', async () => {
      const editors = new anns.Role()
      editors.name = `editors${client.suffix}`
      editors.addUser(ann)
      await editors.insert()
      const mine = await page((acl) => acl.allowReadAccess(editors).allowWriteAccess(editors))
      assert.equal(await bobs[name].load(mine.id), null)

      editors.addUser(anns.getReference(bob.id))
      await editors.save()
      const seen = await bobs[name].load(mine.id)
      seen.title = 'y'
      await seen.save()
      editors.removeUser(anns.getReference(bob.id))
      await editors.save()

      await assert.rejects(seen.save({ force: true }), refused)
      assert.equal(await bobs[name].load(mine.id, { refresh: true }), null)
      const ofAnn = bobs.Role.find().equal('users', ann).equal('name', editors.name)
      assert.equal((await ofAnn.singleResult()).id, editors.id)
      assert.equal(await bobs.Role.find().equal('users', bob).equal('name', editors.name).count(), 0)
    })

    test('logged-in users, and admins, have roles', async () => {
      const forUsers = await page((acl) => acl.allowReadAccess('/db/Role/3'))
      const forAdmins = await page((acl) => acl.allowReadAccess('/db/Role/1'))

      assert.ok(await bobs[name].load(forUsers.id))
      assert.equal(await (await anybody())[name].load(forUsers.id), null)
      assert.equal(await bobs[name].load(forAdmins.id), null)
      assert.ok(await root[name].load(forAdmins.id))
    })

    test('users find themselves only', async () => {
      assert.equal(await bobs.User.load(ann.id), null)
      assert.deepEqual(
        (await bobs.User.find().resultList()).map(({ id }) => id),
        [bob.id],
      )
    })

    test('an admin renames a user, to a name that is free', async () => {
      const { user } = await registered(client, server.url)
      const same = await root.User.load(user.id)
      same.username = ann.username
      await assert.rejects(same.save(), { status: 409 })

      same.username = `new-${user.username}`
      await same.save({ force: true })

      await assert.rejects((await anybody()).User.login(user.username, PASSWORD), { status: 460 })
      assert.equal((await (await anybody()).User.login(same.username, PASSWORD)).id, user.id)
    })

    test('a user made inactive has no session and gets none', async () => {
      const { db, user } = await registered(client, server.url)
      const same = await root.User.load(user.id)
      same.inactive = true
      await same.save()

      await assert.rejects((await anybody()).User.login(user.username, PASSWORD), { status: 460 })
      assert.equal(await db.renew(), null)
    })

    test('the sessions of a deleted user resume as anonymous', async () => {
      const { db, user } = await registered(client, server.url)
      const { token } = db
      await user.delete()

      assert.equal((await connect(client, server.url, token)).User.me, null)
      await assert.rejects((await anybody()).User.login(user.username, PASSWORD), { status: 460 })
    })

    test('a token from before a new password is invalid, also for data', async () => {
      const { db, user } = await registered(client, server.url)
      const old = await connect(client, server.url, db.token)
      await assert.rejects(user.newPassword(PASSWORD, ''), { status: 400 })
      await user.newPassword(PASSWORD, 'next')

      await assert.rejects(old[name].find().resultList(), { status: 460 })
      assert.equal((await connect(client, server.url, db.token)).User.me.id, user.id)
    })

    test('permissions of a class are retained, and old ones that a client saves back have no effect', async () => {
      const stale = await connectAsRoot(client, server.url)
      const acl = { ...root.metamodel.entity(name).toJSON().acl, delete: { '/db/Role/1': 'allow' } }
      await root.metamodel.update({ operation: 'updateClassAcl', bucket: `/db/${name}`, acl })
      const mine = await page(() => {})
      await assert.rejects(mine.delete(), refused)

      const other = entityType(stale.metamodel, client.api.metamodel, `Other${client.suffix}`, {
        title: String,
      })
      stale.metamodel.addType(other)
      await stale.metamodel.save()

      await assert.rejects(mine.delete(), refused)
      const known = (await anybody()).metamodel.entity(name)
      assert.deepEqual(known.deletePermission.toJSON(), { '/db/Role/1': 'allow' })
    })
  })
}
