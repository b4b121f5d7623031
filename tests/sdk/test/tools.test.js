import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect } from '../../../js-sdk/dist/index.js'
import { memoryQueue, openQueue } from '../../../js-sdk/dist/offline.js'
import { optimistic } from '../../../js-sdk/dist/optimistic.js'
import { stores } from '../../../js-sdk/dist/svelte.js'
import { startServer } from '../src/servers.js'

const COMMAND = fileURLToPath(new URL('../../../js-sdk/bin/orestes.js', import.meta.url))

/** Collects the values of a store, and waits for a wanted one. */
function follow(store) {
  const states = []
  const waiting = new Set()
  const stop = store.subscribe((state) => {
    states.push(state)
    waiting.forEach((check) => check())
  })
  const until = (isWanted) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`last state: ${JSON.stringify(states.at(-1))}`)), 60_000)
      const check = () => {
        if (!isWanted(states.at(-1))) return
        clearTimeout(late)
        waiting.delete(check)
        resolve(states.at(-1))
      }
      waiting.add(check)
      check()
    })
  return { states, stop, until }
}

describe('tools around the client', () => {
  let server
  let db

  before(async () => {
    server = await startServer()
    db = await connect(server.url)
  })

  after(() => server.stop())

  it('writes the types of its classes', async () => {
    const { stdout } = await promisify(execFile)('node', [COMMAND, 'types', server.url], { timeout: 100_000 })

    assert.match(stdout, /export interface Todo \{[^}]*priority: number \| null/)
    assert.match(stdout, /owner: orestes\.Ref<Owner> \| null/)
    assert.match(stdout, /counts: \{ \[key: string\]: number \} \| null/)
    assert.match(stdout, /export interface Schema \{[^}]*readonly Todo: Todo/)
  })

  it('shows writes before they are done, and never the old state in between', async () => {
    const mine = optimistic(db).bucket('Todo')
    const { states, stop, until } = follow(stores(db).live(db.bucket('Todo').find({ text: 'shown' })))
    await until(({ data, isConnected }) => data && isConnected)

    const { id } = await mine.insert({ text: 'shown', priority: 1 })
    await Promise.all([1, 2, 3].map(() => mine.update(id, (change) => change.inc('priority'))))
    await until(({ data }) => data[0]?.version === 4)

    const told = states.flatMap(({ data }) => data?.map(({ priority }) => priority) ?? [])
    assert.deepEqual([told[0], told.at(-1)], [1, 4])
    // a change that arrives before the answer may be taken for another writer's, which is then
    // shown once more
    assert.ok(
      told.slice(told.indexOf(4)).every((priority) => priority >= 4),
      String(told),
    )
    stop()
  })

  it('removes refused writes', async () => {
    const todos = optimistic(db).bucket('Todo')
    const stale = await todos.insert({ text: 'before' })
    await todos.update(stale.id, { $set: { text: 'now' } })
    const { states, stop, until } = follow(stores(db).object(stale.id))
    await until(({ data }) => data?.version === 2)

    await assert.rejects(todos.replace({ ...stale, text: 'mine' }), { code: 'OBJECT_OUT_OF_DATE' })

    assert.ok(states.some(({ data }) => data?.text === 'mine'))
    assert.equal((await until(({ data }) => data?.text === 'now')).pending.length, 0)
    stop()
  })

  it('queues writes, and calls back for refused ones', async () => {
    const conflicts = []
    const onConflict = ({ write, error }) => {
      conflicts.push(error.code)
      return { ...write, ifMatch: '*' }
    }
    const queue = await openQueue(db, { store: memoryQueue(), onConflict })
    const todos = queue.bucket('Todo')
    const { id } = await todos.insert({ text: 'queued' })
    await todos.replace({ id, version: 0, text: 'twice' })
    await queue.flush()
    await db.bucket('Todo').update(id, { $set: { text: 'other' } })
    await todos.replace({ id, version: 2, text: 'mine' })

    await queue.flush()

    assert.deepEqual(conflicts, ['OBJECT_OUT_OF_DATE'])
    assert.equal((await db.load(id)).data.text, 'mine')
    queue.close()
  })
})
