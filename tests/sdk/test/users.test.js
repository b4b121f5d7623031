import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  connect,
  CredentialsError,
  ExistsError,
  memoryTokens,
  NotFoundError,
} from '../../../js-sdk/dist/index.js'
import { startServer } from '../src/servers.js'

describe('users', () => {
  let server

  before(async () => {
    server = await startServer()
  })

  after(() => server.stop())

  it('register, own objects, log out and in again', async () => {
    const db = await connect(server.url)
    const ann = await db.users.register({ username: 'ann' }, 'secret')
    const todos = db.bucket('Todo')
    const only = { [ann.id]: 'allow' }
    const { id } = await todos.insert({ text: 'mine', acl: { read: only, write: only } })

    assert.equal((await todos.load(id)).data.text, 'mine')
    db.users.logout()
    await assert.rejects(todos.load(id), NotFoundError)
    await assert.rejects(db.users.login('ann', 'wrong'), CredentialsError)
    await db.users.login('ann', 'secret')
    assert.equal((await todos.load(id)).data.text, 'mine')
    await assert.rejects(db.users.register({ username: 'ann' }, 'x'), ExistsError)
  })

  it('are recognised by their token', async () => {
    const first = await connect(server.url)
    await first.users.register({ username: 'bob' }, 'secret')

    const again = await connect(server.url, { tokens: memoryTokens(first.users.token) })
    const stranger = await connect(server.url, {
      tokens: memoryTokens('6b03803f6b2b0d3fxxx'.padEnd(60, '0')),
    })

    assert.equal(again.users.me.username, 'bob')
    assert.equal(stranger.users.me, null)
    assert.equal(stranger.users.token, null)
  })

  it('change their password, which ends other sessions', async () => {
    const [here, there] = [await connect(server.url), await connect(server.url)]
    await here.users.register({ username: 'cy' }, 'old')
    await there.users.login('cy', 'old')

    await here.users.changePassword('cy', 'old', 'new')

    assert.equal((await here.users.refresh()).username, 'cy')
    assert.equal(await there.users.refresh(), null)
    await there.users.login('cy', 'new')
  })

  it('have the roles that name them', async () => {
    const db = await connect(server.url)
    const me = await db.users.register({ username: 'dora' }, 'secret')

    assert.deepEqual(await db.users.roles(), [])
    await db.bucket('Role').insert({ name: 'editor', users: [me.id] })
    assert.deepEqual(await db.users.roles(), ['editor'])
  })

  it('continue a session that is used', async () => {
    const short = await startServer('--auth.session-lifetime', '16s')
    try {
      const db = await connect(short.url)
      await db.users.register({ username: 'eve' }, 'secret')
      const end = Date.now() + 20_000
      while (Date.now() < end) {
        await db.bucket('Todo').find().count()
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
      assert.equal((await db.users.refresh()).username, 'eve')
    } finally {
      await short.stop()
    }
  })
})
