/** A server that has an owner, with classes, and a browser to look at it with. */
import assert from 'node:assert/strict'
import { launch } from './browser.js'
import { PASSWORD } from './dashboard.js'
import { Server, dataFolder } from './server.js'

/**
Starts a server whose root has the password of the dashboard's tests.

@param classes fields with their types, by class: `{ Todo: { text: 'String' } }`
@param flags of the server besides
@returns all parts; `root` are the headers of requests as root, `clear` stops what was started
*/
export async function ownedServer(classes = {}, flags = []) {
  const parts = {}
  parts.clear = async () => {
    await parts.browser?.close()
    await parts.server?.stop()
    await parts.data?.remove()
  }
  try {
    parts.data = await dataFolder()
    parts.server = await Server.start(parts.data.path, {
      flags: ['--root-password', PASSWORD, ...flags],
    })
    parts.browser = await launch()
    parts.root = await logIn(parts.server)
    await create(parts, classes)
    return parts
  } catch (failure) {
    await parts.clear()
    throw failure
  }
}

async function logIn(server) {
  const { headers } = await server.call('POST', '/db/User/login', { username: 'root', password: PASSWORD })
  return { Authorization: `BAT ${headers.get('baqend-authorization-token')}` }
}

async function create({ server, root }, classes) {
  for (const [name, types] of Object.entries(classes)) {
    const described = Object.entries(types).map(([field, type]) => [
      field,
      { name: field, type: `/db/${type}` },
    ])
    const body = { class: `/db/${name}`, fields: Object.fromEntries(described) }
    const { status } = await server.call('POST', `/schema/${name}`, body, root)
    assert.equal(status, 200)
  }
}
