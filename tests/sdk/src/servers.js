import { connect } from '../../../js-sdk/dist/index.js'
import { ROOT_PASSWORD, Server } from '../../client/src/server.js'

/** Classes of these tests. */
const CLASSES = [
  classOf('Owner', { name: 'String' }),
  classOf('Todo', {
    text: 'String',
    done: 'Boolean',
    priority: 'Integer',
    due: 'DateTime',
    tags: 'collection.List[/db/String]',
    labels: 'collection.Set[/db/String]',
    counts: 'collection.Map[/db/String,/db/Integer]',
    owner: 'Owner',
  }),
]

/** Starts a server that has these classes. */
export async function startServer(...flags) {
  const server = await Server.start('--rate-limit', 'off', ...flags)
  try {
    await applyClasses(server)
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

async function applyClasses(server) {
  const root = await connect(server.url)
  await root.users.login('root', ROOT_PASSWORD)
  const response = await server.fetch('/schema', {
    method: 'POST',
    headers: { Authorization: `BAT ${root.users.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(CLASSES),
  })
  if (!response.ok) throw new Error(await response.text())
}

function classOf(name, types) {
  const fields = Object.entries(types).map(([field, type]) => [field, { name: field, type: `/db/${type}` }])
  return { class: `/db/${name}`, fields: Object.fromEntries(fields) }
}
