import { createRequire } from 'node:module'
import { ROOT_PASSWORD } from './server.js'

const require = createRequire(import.meta.url)
const { devDependencies } = require('../package.json')

/**
 * Versions of the published package under test: the oldest, the last on npm with real-time queries,
 * and the newest.
 */
export const CLIENTS = Object.entries(devDependencies)
  .filter(([alias]) => alias.startsWith('baqend-'))
  .map(([alias, version]) => ({
    name: version.replace('npm:', ''),
    api: require(alias),
    // Versions share a server; each has classes of its own.
    suffix: alias.slice(-1),
  }))

/** Clients that still have real-time queries. */
export const STREAMING = CLIENTS.filter(({ name }) => name.startsWith('baqend@3.'))

/**
 * Returns a client that is connected to the server and shares its session with no other client.
 *
 * @param token the session it starts with; none for an anonymous client
 */
export async function connect(client, url, token = null) {
  const { TokenStorage } = client.api.intersection
  const tokenStorageFactory = { create: async (origin) => new TokenStorage(origin, token) }
  const factory = new client.api.EntityManagerFactory({ host: url, tokenStorageFactory })
  await factory.ready()
  const db = factory.createEntityManager(true)
  await db.ready()
  return db
}

/** Returns a client whose user is root. */
export async function connectAsRoot(client, url) {
  const db = await connect(client, url)
  await db.User.login('root', ROOT_PASSWORD)
  return db
}

/**
 * Creates classes through the client's metamodel and returns an anonymous client that knows them.
 *
 * @param define receives the metamodel and the package, and returns the types to add
 */
export async function withClasses(client, url, define) {
  const root = await connectAsRoot(client, url)
  const { metamodel } = root
  define(metamodel, client.api.metamodel).forEach((type) => metamodel.addType(type))
  await metamodel.save()
  await root.User.logout()
  return connect(client, url)
}

/** Returns an entity class with single values: `{ title: String, count: 'Integer' }`. */
export function entityType(metamodel, types, name, attributes) {
  const type = new types.EntityType(name, metamodel.entity(Object))
  for (const [attribute, valueType] of Object.entries(attributes)) {
    type.addAttribute(new types.SingularAttribute(attribute, metamodel.baseType(valueType)))
  }
  return type
}

let names = 0

/** Returns an unused user name. */
export const freshName = () => `user${(names += 1)}@example.com`

/** Returns a client whose user has just registered, with the password `MySecretPassword`. */
export async function registered(client, url) {
  const db = await connect(client, url)
  const user = await db.User.register(freshName(), 'MySecretPassword')
  return { db, user }
}
