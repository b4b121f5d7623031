import { connector, db } from 'baqend'

const Begin = connector.Message.create({ method: 'POST', path: '/transaction', status: [201] })
const Commit = connector.Message.create({ method: 'PUT', path: '/transaction/:tid/committed', status: [200] })

/**
 * Writes all of these objects or, if one of them has changed since it was loaded, none.
 *
 * @param changes objects and their new values: `[[todo, { done: true }], …]`
 */
export async function saveTogether(changes) {
  const { entity } = await db.send(new Begin())
  const writeSet = changes.map(([object, values]) => ({ ...object.toJSON(), ...values }))
  try {
    await db.send(new Commit(entity.tid).entity({ writeSet }, 'json'))
  } finally {
    await Promise.all(changes.map(([object]) => object.load({ refresh: true })))
  }
}
